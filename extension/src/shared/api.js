// The extension interface has two names: `browser` in Firefox, `chrome` in Chrome. Both return promises. In Chrome a
// page with an element called "browser" has an inherited property of that name, so only an own property counts.
export const api = Object.hasOwn(globalThis, "browser") && browser ? browser : chrome;
