// What the extension says about TeX, MathML, raw formulas, superscripts and subscripts, as JSON.
import { readFileSync } from "node:fs";
import { splitRaw } from "../../../extension/src/core/render/formulas.js";
import { toTex as katexToTex } from "../../../extension/src/core/render/math/katex.js";
import { clean, presentation, toTex, withoutBars } from "../../../extension/src/core/render/math/mathml.js";
import { plain } from "../../../extension/src/core/render/math/readable.js";
import { contentOf } from "../../../extension/src/core/render/math/tex.js";
import { Node } from "../../../extension/src/core/render/node.js";
import { written } from "../../../extension/src/core/render/scripts.js";

/** @import {Child} from "../../../extension/src/core/render/node.js" */

/** @param {Child} node @returns {unknown} */
const listed = (node) => (typeof node === "string" ? node : [node.name, node.attributes, node.children.map(listed)]);

/** @param {any} list @returns {Child} */
const nodeOf = (list) => (typeof list === "string" ? list : new Node(list[0], list[1], list[2].map(nodeOf)));

/** @param {string} tex */
const answersFor = (tex) => {
  const content = contentOf(tex);
  const [raw, rawDollars] = [false, true].map((dollars) => splitRaw(tex, dollars).map(listed));
  return {
    mathml: listed(content), tex: toTex(content), clean: clean(tex), plain: plain(tex), bars: withoutBars(tex),
    raw, rawDollars,
  };
};

const given = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(
  JSON.stringify({
    texts: given.texts.map(answersFor),
    trees: given.trees.map((/** @type {unknown} */ list) => {
      const node = /** @type {Node} */ (nodeOf(list));
      return { tex: toTex(node), katex: katexToTex(node), presentation: presentation(node).map(listed) };
    }),
    scripts: given.scripts.map((/** @type {[string, string, string, string]} */ each) => written(...each)),
  }),
);
