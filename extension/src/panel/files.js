// Content as a file, by a download link, which needs no permission.

/** @import {Form} from "../page/controller.js" */
/** @typedef {{ending: string, type: string, wrap: (body: string, title: string) => string}} Format */

/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
/** @param {string} text */
const asIs = (text) => text;

/** @type {Record<Form, Format>} */
export const FORMS = {
  markdown: { ending: "md", type: "text/markdown", wrap: asIs },
  text: { ending: "txt", type: "text/plain", wrap: asIs },
  html: {
    ending: "html",
    type: "text/html",
    wrap: (body, title) =>
      `<!doctype html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>${escape(title)}</title>\n</head>\n` +
      `<body>\n${body}\n</body>\n</html>\n`,
  },
};

const LONGEST = 80; // characters of a name

/** A name that every file system accepts. @param {string} title @param {Form} form */
export function fileName(title, form) {
  const stem = title
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^[. ]+|[. ]+$/g, "");
  const short = [...stem].slice(0, LONGEST).join("").trim();
  return `${short || "page"}.${FORMS[form].ending}`;
}

/** @param {string} text @param {string} name @param {string} type */
export function saveFile(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser may first ask the user for a folder
}
