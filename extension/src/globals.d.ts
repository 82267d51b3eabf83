// Names that exist without an import.

/** The names of the models in the package; the build replaces it (tools/build.js). */
declare const SHIPPED_MODELS: string[] | undefined;

/** Files that the build puts into the npm package (tools/npm.js). */
declare module "*.wasm" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module "*.safetensors" {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

/** The extension interface; Firefox has a few functions more than Chrome. */
declare const browser: (typeof chrome & { runtime: { getBrowserInfo?: () => Promise<object> } }) | undefined;
