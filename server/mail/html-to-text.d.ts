declare module 'html-to-text' {
  /** The part of html-to-text's options that is used here; the package declares none. */
  interface ConvertOptions {
    wordwrap?: number | false;
    limits?: { maxInputLength?: number; maxDepth?: number; maxChildNodes?: number; ellipsis?: string };
    selectors?: { selector: string; format?: string; options?: Record<string, unknown> }[];
  }
  export function convert(html: string, options?: ConvertOptions): string;
}
