// Names that exist without an import.

/** The names of the models in the package; the build replaces it (tools/build.js). */
declare const SHIPPED_MODELS: string[] | undefined;

/** The extension interface of Firefox; it has the shape of Chrome's and a few functions more. */
declare const browser: (typeof chrome & { runtime: { getBrowserInfo?: () => Promise<object> } }) | undefined;
