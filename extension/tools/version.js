// The version of the project, which Python declares.

import { readFile } from "node:fs/promises";

export async function versionOf() {
  const text = await readFile(new URL("../../src/tamis/__init__.py", import.meta.url), "utf8");
  const found = /^__version__ = "([\d.]+)"$/m.exec(text);
  if (!found) throw new Error("src/tamis/__init__.py names no version of numbers and dots");
  return found[1];
}
