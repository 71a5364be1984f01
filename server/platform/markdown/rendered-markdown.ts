export interface PostHeading {
  /** Its id in `html`, to link to as `#id`. */
  id: string;
  text: string;
  level: 2 | 3;
}

/** A post as pages show it. */
export interface RenderedMarkdown {
  /** Safe to put into a page as it is. Images carry the marker that `placeImages` replaces. */
  html: string;
  /** For a table of contents, in reading order. */
  headings: PostHeading[];
  /** The addresses of the images: `http:`, `https:` or from the root (`/…`). An image's marker is its place in this list. */
  images: string[];
  /** Without markup, code blocks and pictures; a line a block. For excerpts. */
  text: string;
  /** Words of `text`. */
  wordCount: number;
  /** The post could not be rendered within the limits; `html` is its source, escaped. May be worth another try later. */
  fallback?: true;
}
