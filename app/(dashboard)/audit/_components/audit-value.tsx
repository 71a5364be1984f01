import { useState } from 'react';
import type { ReadValue } from './audit-values';
import { exactTime, type ViewersClock } from './log-time';

const sides = {
  before: { sign: '−', words: 'Before:', className: 'bg-danger-soft text-danger-text' },
  after: { sign: '+', words: 'After:', className: 'bg-success-soft text-success-text' },
  now: { sign: '−', words: 'Now:', className: 'bg-danger-soft text-danger-text' },
  restored: { sign: '+', words: 'Restored:', className: 'bg-success-soft text-success-text' },
} as const;

/** A value of one side of a comparison, marked as such. */
export function Value({ value, side, clock }: { value: ReadValue; side: keyof typeof sides; clock: ViewersClock }) {
  if (value.kind === 'empty') return <span className="inline-block py-0.5 text-muted italic">empty</span>;
  const { sign, words, className } = sides[side];
  return (
    <div className={`inline-flex max-w-full gap-1.5 rounded-sm px-1.5 py-0.5 ${className}`}>
      <span aria-hidden className="font-mono select-none">
        {sign}
      </span>
      <span className="sr-only md:hidden">{words} </span>
      <div className="min-w-0">
        <Content value={value} clock={clock} />
      </div>
    </div>
  );
}

function Content({ value, clock }: { value: Exclude<ReadValue, { kind: 'empty' }>; clock: ViewersClock }) {
  switch (value.kind) {
    case 'time':
      return <time dateTime={value.time}>{exactTime(value.time, clock)}</time>;
    case 'list':
      return (
        <ul>
          {value.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes, whose members may be equal
            <li key={index} className="break-words">
              {item}
            </li>
          ))}
        </ul>
      );
    case 'json':
      return <LongText text={value.text} isCode />;
    case 'text':
      return (
        <>
          <LongText text={value.text} isCode={value.isCode} />
          {value.isCut && <span className="mt-1 block text-xs">Only the first 1,000 characters are kept.</span>}
        </>
      );
  }
}

/** How much of a long text is shown at first. */
const shownCharacters = 280;
const shownLines = 6;

function beginningOf(text: string): string {
  const lines = text.split('\n').slice(0, shownLines).join('\n');
  return lines.slice(0, shownCharacters).trimEnd();
}

function LongText({ text, isCode }: { text: string; isCode: boolean }) {
  const [isWhole, setIsWhole] = useState(false);
  const beginning = beginningOf(text);
  // A few more characters are not worth hiding.
  const isLong = text.length > beginning.length + 40;
  return (
    <>
      <span className={`break-words whitespace-pre-wrap ${isCode ? 'font-mono text-xs' : ''}`}>
        {isLong && !isWhole ? `${beginning}…` : text}
      </span>
      {isLong && (
        <button
          type="button"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
          className="mt-0.5 block min-h-6 cursor-pointer text-xs underline underline-offset-2"
        >
          {isWhole ? 'Show less' : 'Show all'}
        </button>
      )}
    </>
  );
}
