'use client';

import { Ellipsis } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { splitQuoted } from '@/server/platform/mail/mail-text';
import { linkSegments } from './text-links';

/** In characters; what is longer is shown when asked for, so that one message never holds up the page. */
const shownAtFirst = 40_000;

/** A plain text with its links; what it quotes of earlier mail is folded. */
export function MessageText({ text }: { text: string }) {
  const { fresh, quoted } = useMemo(() => splitQuoted(text), [text]);
  const [isQuoteOpen, setIsQuoteOpen] = useState(false);
  const quoteId = useId();
  if (text.trim() === '') return <p className="text-muted">This message has no text.</p>;
  // A message that only repeats what was written before has nothing else to show.
  if (fresh.trim() === '') return <LinkedText text={text.trim()} />;
  return (
    <>
      <LinkedText text={fresh.trim()} />
      {quoted.trim() !== '' && (
        <>
          <button
            type="button"
            aria-expanded={isQuoteOpen}
            aria-controls={isQuoteOpen ? quoteId : undefined}
            aria-label={isQuoteOpen ? 'Hide quoted text' : 'Show quoted text'}
            title={isQuoteOpen ? 'Hide quoted text' : 'Show quoted text'}
            onClick={() => setIsQuoteOpen(!isQuoteOpen)}
            className="mt-3 flex h-6 w-8 items-center justify-center rounded-md bg-default text-muted hover:bg-default-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
          >
            <Ellipsis aria-hidden className="size-4" />
          </button>
          {isQuoteOpen && (
            <div id={quoteId} className="mt-2 border-l-2 border-border pl-3 text-muted">
              <LinkedText text={quoted.trim()} />
            </div>
          )}
        </>
      )}
    </>
  );
}

function LinkedText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole || text.length <= shownAtFirst ? text : text.slice(0, shownAtFirst).toWellFormed();
  const segments = useMemo(() => linkSegments(shown), [shown]);
  return (
    <>
      <div dir="auto" className="max-w-[68ch] text-base wrap-anywhere whitespace-pre-wrap">
        {segments.map(({ text: part, href, start }) =>
          href === undefined ? (
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
      {shown !== text && (
        <Button variant="secondary" size="sm" className="mt-3" onPress={() => setIsWhole(true)}>
          Show the whole message
        </Button>
      )}
    </>
  );
}
