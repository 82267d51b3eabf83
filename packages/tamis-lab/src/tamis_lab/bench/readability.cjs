// Mozilla's Readability for the benchmark: reads and answers one line of JSON for each page.
// It lives as long as its worker, so that starting node is no part of a page's time.
const [folder, parser] = process.argv.slice(2);
const { Readability } = require(folder + "/@mozilla/readability");
const dom = require(folder + "/" + parser);
const quiet = parser === "jsdom" ? new dom.VirtualConsole() : null;
const open = (html, url) => parser === "jsdom"
  ? new dom.JSDOM(html, { url, virtualConsole: quiet }).window.document
  : dom.parseHTML(html).document;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { html, url } = JSON.parse(line);
  let answer;
  try {
    const article = new Readability(open(Buffer.from(html, "base64").toString("utf8"), url)).parse();
    answer = { html: article ? article.content : "" };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
