/** Load the network, once. Rejects if WebAssembly is not allowed, as by a page's content security policy. */
export function load(): Promise<Tamis>;

export interface Tamis {
  /**
   * The content of a page. Reads the page and does not change it. Throws beyond 300,000 elements, texts and media.
   *
   * @param root a document, or an element of which the content is wanted
   */
  extract(root: Document | Element, options?: Options): Page;
}

export interface Options {
  /** The address of the page, for links. By default that of the page that a browser shows. */
  url?: string | null;
  /**
   * Read what the browser shows: open shadow roots and frames of the same site are read, and what style sheets hide is
   * not. True in a browser for a document with a window; else only the markup counts.
   */
  live?: boolean;
}

export type Role = "title" | "text" | "caption" | "note" | "comment" | "related" | "boilerplate";
export type PageType = "article" | "documentation" | "service" | "forum" | "product" | "listing" | "collection";

/** Text, Markdown and HTML are written when they are asked for, and throw where DOMPurify does not support the DOM. */
export interface Page {
  readonly text: string;
  readonly markdown: string;
  readonly html: string;
  /** The headline, or else the title of the page. */
  readonly title: string;
  /** The most likely type; null for a page without content. */
  readonly pageType: PageType | null;
  /** The probability of each type. */
  readonly pageTypes: Record<PageType, number> | null;
  /** One for each text that is not blank and for each medium, in document order. */
  readonly labels: Label[];
}

export interface Label {
  /** The Text, or the Element of a medium. */
  node: Node;
  text: string;
  isMedia: boolean;
  keep: boolean;
  /** From 0 to 1. */
  score: number;
  /** Null for a page without content. */
  role: Role | null;
}
