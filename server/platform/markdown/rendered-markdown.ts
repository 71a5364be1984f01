export interface PostHeading {
  /** Its id in `html`, for links to `#id`. */
  id: string;
  text: string;
  level: 2 | 3;
}

/** A post rendered for pages. */
export interface RenderedMarkdown {
  /** Safe HTML. Images carry the marker that `placeImages` replaces. */
  html: string;
  /** For a table of contents, in reading order. */
  headings: PostHeading[];
  /** The addresses of the images: `http:`, `https:` or from the root (`/…`). An image's marker is its index in this list. */
  images: string[];
  /** Without markup, code blocks and pictures; one line per block. For excerpts. */
  text: string;
  /** Number of words in `text`. */
  wordCount: number;
  /** The post could not be rendered within the limits; `html` is its escaped source. A later attempt may succeed. */
  fallback?: true;
}
