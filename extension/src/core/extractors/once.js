// What is read of a model is read once, however many pages ask.

/** @type {WeakMap<import("./boilernet/network.js").Models, Map<string, Promise<unknown>>>} */
const loaded = new WeakMap();

/** Ask once for each of these models and this name; what failed is asked for again. */
export function once(models, name, load) {
  if (!loaded.has(models)) loaded.set(models, new Map());
  const known = loaded.get(models);
  if (!known.has(name)) {
    known.set(
      name,
      load().catch((error) => {
        known.delete(name);
        throw error;
      }),
    );
  }
  return known.get(name);
}
