import { useMemo } from 'react';
import { linkSegments } from './text-links';

interface LinkedTextProps {
  text: string;
  /** Links only web addresses, not mail addresses. */
  isWebOnly?: boolean;
  className?: string;
}

/** A plain text with its addresses as links. */
export function LinkedText({ text, isWebOnly = false, className = '' }: LinkedTextProps) {
  const segments = useMemo(() => linkSegments(text), [text]);
  return (
    <div dir="auto" className={`wrap-anywhere whitespace-pre-wrap ${className}`}>
      {segments.map(({ text: part, href, start }) =>
        href === undefined || (isWebOnly && !/^https?:/i.test(href)) ? (
          part
        ) : (
          <a
            key={start}
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent-text underline underline-offset-2"
          >
            {part}
          </a>
        ),
      )}
    </div>
  );
}
