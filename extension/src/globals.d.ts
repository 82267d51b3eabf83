// Names that exist without an import.

/** The names of the models in the package; the build replaces it (tools/build.js). */
declare const SHIPPED_MODELS: string[] | undefined;

/** The extension interface; Firefox has a few functions more than Chrome. */
declare const browser: (typeof chrome & { runtime: { getBrowserInfo?: () => Promise<object> } }) | undefined;
