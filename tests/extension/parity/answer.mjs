// Answers the questions of test_node.py about parts of the core that need no page: JSON in, JSON out.
//
//     node answer.mjs < question.json

import { readFileSync } from "node:fs";
import * as characters from "../../../extension/src/core/characters.js";
import * as tokens from "../../../extension/src/core/extractors/boilernet/tokens.js";
import { extractors } from "../../../extension/src/core/index.js";
import { VERSION } from "../../../extension/src/core/extractors/tamis/network.js";
import { PAGE_TYPES, ROLES } from "../../../extension/src/core/extractors/tamis/tamis.js";
import { MAYBE_SHARE } from "../../../extension/src/page/views/highlight.js";
import { safeAddress } from "../../../extension/src/core/content/clean.js";
import * as tags from "../../../extension/src/core/tags.js";

/** @type {{texts: string[], addresses?: [url: string, base: string | null][]}} */
const { texts, addresses = [] } = JSON.parse(readFileSync(0, "utf8"));

const answers = {
  extractors,
  boilernet: {
    version: tokens.VERSION,
    tables: { DROPPED: tokens.DROPPED, SPACE: tokens.SPACE, ALONE: tokens.ALONE, CAPITALS: tokens.CAPITALS },
  },
  tamis: { version: VERSION, pageTypes: PAGE_TYPES, roles: ROLES, maybeShare: MAYBE_SHARE },
  tags: {
    codes: Object.fromEntries(tags.CODES),
    last: [tags.LAST_CODE, tags.LAST_PREFORMATTED, tags.LAST_SPECIAL],
    sets: {
      MEDIA: [...tags.MEDIA],
      CODE: [...tags.CODE],
      BLOCK: [...tags.BLOCK],
      INVISIBLE: [...tags.INVISIBLE],
      HEADINGS: [...tags.HEADINGS],
      PREFORMATTED: [...tags.PREFORMATTED],
    },
  },
  addresses: addresses.map(([url, base]) => safeAddress(url, base)),
  texts: texts.map((text) => ({
    tokens: characters.split(text),
    words: characters.countWords(text),
    length: characters.length(text),
    blank: characters.isBlank(text),
    stripped: characters.stripped(text),
    boilernet: tokens.tokens(text),
  })),
};

process.stdout.write(JSON.stringify(answers));
