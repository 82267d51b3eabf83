// What Python asks of the parts of the core that need no page: JSON in, JSON out. node answer.mjs < asked.json

import { readFileSync } from "node:fs";
import * as characters from "../../../extension/src/core/characters.js";
import * as tokens from "../../../extension/src/core/extractors/boilernet/tokens.js";
import * as columns from "../../../extension/src/core/extractors/tamis/columns.js";
import { extractors } from "../../../extension/src/core/index.js";
import { COMMENT_FROM, CUT_HIGH, LOWER, RELATED_FROM } from "../../../extension/src/core/extractors/tamis/tamis.js";
import { MAYBE_SHARE } from "../../../extension/src/page/views/highlight.js";
import * as tags from "../../../extension/src/core/tags.js";

const { texts } = JSON.parse(readFileSync(0, "utf8"));

const answers = {
  extractors,
  boilernet: {
    version: tokens.VERSION,
    tables: { DROPPED: tokens.DROPPED, SPACE: tokens.SPACE, ALONE: tokens.ALONE, CAPITALS: tokens.CAPITALS },
  },
  tamis: {
    version: columns.VERSION,
    levels: columns.LEVELS,
    none: columns.NO_TAG,
    columns: columns.COLUMNS,
    outputs: columns.OUTPUTS,
    pageTypes: columns.PAGE_TYPES,
    from: [COMMENT_FROM, RELATED_FROM],
    cutHigh: CUT_HIGH,
    lower: LOWER,
    maybeShare: MAYBE_SHARE,
  },
  tags: {
    codes: Object.fromEntries(tags.CODES),
    last: [tags.LAST_CODE, tags.LAST_PREFORMATTED, tags.LAST_SPECIAL],
    sets: Object.fromEntries(
      ["MEDIA", "CODE", "BLOCK", "INVISIBLE", "HEADINGS", "PREFORMATTED"].map((name) => [name, [...tags[name]]]),
    ),
  },
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
