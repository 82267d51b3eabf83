// The extension interface is called `browser` in Firefox and in newer versions of Chrome, and `chrome` in older ones. All
// of them return promises. Only an own property counts: in an older Chrome the global object inherits an element of the
// page called "browser" under that name.
export const api = Object.hasOwn(globalThis, "browser") && browser ? browser : chrome;
