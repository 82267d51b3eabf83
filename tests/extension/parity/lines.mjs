// Questions and answers, one a line of JSON.

import { createInterface } from "node:readline";

/**
 * Answer questions, one a line of JSON; an error is an answer, too.
 *
 * @template Question
 * @param {(question: Question) => Promise<object>} find
 */
export async function answer(find) {
  for await (const line of createInterface({ input: process.stdin })) {
    const found = await find(JSON.parse(line)).catch((error) => ({ error: String(error.stack) }));
    process.stdout.write(`${JSON.stringify(found)}\n`);
  }
}
