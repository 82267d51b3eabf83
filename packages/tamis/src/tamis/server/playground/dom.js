// Small helpers for elements. Texts of pages are only ever set as text, never as markup.

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

/**
 * A new element. Properties are attributes, or listeners if they start with "on"; false and null leave one out.
 * Children are elements or texts.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** A number for people, in the same form whatever the language of the browser: the page is in English. */
export const count = (value) => Number(value).toLocaleString("en");

export const percent = (value) => `${Math.round(100 * value)} %`;

/** "1 word", "2 words". */
export const plural = (value, word) => `${count(value)} ${word}${value === 1 ? "" : "s"}`;

/** `work` once calls have stopped for some milliseconds. */
export function debounced(work, milliseconds) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}

/** Copy a text, also where the clipboard is only there for secure pages. */
export async function copy(text) {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // not allowed: try the old way
    }
  }
  const field = make("textarea", { class: "unseen", "aria-hidden": "true", tabindex: "-1" });
  const focused = document.activeElement;
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return copied;
}

/** Offer a text as a file. */
export function download(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
