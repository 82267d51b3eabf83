// Both browsers speak the same interface under two names, and both answer with promises.
export const api = globalThis.browser ?? globalThis.chrome;
