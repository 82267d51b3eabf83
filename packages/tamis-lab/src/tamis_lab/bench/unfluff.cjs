// unfluff for the benchmark: reads and answers one line of JSON for each page.
// It lives as long as its worker, so that starting node is no part of a page's time.
const [folder] = process.argv.slice(2);
const unfluff = require(folder + "/unfluff");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { html } = JSON.parse(line);
  let answer;
  try {
    answer = { text: unfluff(Buffer.from(html, "base64").toString("utf8")).text || "" };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
