import { CopyButton } from '@/app/_kit/copy-button';

interface CodeBlockProps {
  title: string;
  code: string;
  copyLabel: string;
}

/** Several lines of code or data with a button to copy them; scrolls if they are many. */
export function CodeBlock({ title, code, copyLabel }: CodeBlockProps) {
  return (
    <figure className="min-w-0 rounded-md border border-border bg-background-secondary">
      <figcaption className="flex items-center justify-between gap-2 border-b border-separator py-0.5 pr-0.5 pl-3">
        <span className="text-label font-medium">{title}</span>
        <CopyButton value={code} label={copyLabel} size="sm" />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs the keyboard, too
        tabIndex={0}
        className="max-h-96 overflow-auto p-3 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap -outline-offset-2"
      >
        <code>{code}</code>
      </pre>
    </figure>
  );
}
