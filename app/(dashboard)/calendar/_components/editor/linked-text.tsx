import { useMemo } from 'react';
import { linkSegments } from '../../../inbox/_components/text-links';

/** A text as it was written, with its addresses of the web as links. */
export function LinkedText({ text }: { text: string }) {
  const segments = useMemo(() => linkSegments(text), [text]);
  return (
    <div dir="auto" className="wrap-anywhere whitespace-pre-wrap">
      {segments.map(({ text: part, href, start }) =>
        href !== undefined && /^https?:/i.test(href) ? (
          <a
            key={start}
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent-text underline underline-offset-2"
          >
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </div>
  );
}
