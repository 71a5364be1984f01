declare module 'html-to-text' {
  /** The options of html-to-text used here; the package declares none. */
  interface ConvertOptions {
    wordwrap?: number | false;
    formatters?: Record<string, FormatCallback>;
    limits?: { maxInputLength?: number; maxDepth?: number; maxChildNodes?: number; ellipsis?: string };
    selectors?: { selector: string; format?: string; options?: Record<string, unknown> }[];
  }
  interface BlockTextBuilder {
    addInline(text: string): void;
  }
  export type FormatCallback = (
    element: { children: unknown[]; attribs?: Record<string, string> },
    walk: (children: unknown[], builder: BlockTextBuilder) => void,
    builder: BlockTextBuilder,
  ) => void;
  export function convert(html: string, options?: ConvertOptions): string;
}
