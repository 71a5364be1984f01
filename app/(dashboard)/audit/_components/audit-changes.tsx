'use client';

import { useState } from 'react';
import type { AuditEntry } from '@/server/features/audit/audit.schema';
import { type ChangeRow, changeRows, type ReadValue } from './audit-values';
import { exactTime, type ViewersClock } from './log-time';

interface AuditChangesProps {
  entry: AuditEntry;
  clock: ViewersClock;
}

/** The values before and after, field by field. A creation has only the latter, a deletion only the former. */
export function AuditChanges({ entry, clock }: AuditChangesProps) {
  const rows = changeRows(entry);
  if (rows.length === 0) return <p className="text-label text-muted">It was empty, so there is nothing to show.</p>;
  const { action } = entry;
  return (
    <table className="w-full table-fixed border-collapse text-label max-md:block" aria-label="Before and after">
      <thead className="max-md:sr-only">
        <tr className="border-b border-separator text-left text-xs text-muted">
          <th scope="col" className="w-44 py-1.5 pr-3 font-medium">
            Field
          </th>
          {action !== 'created' && (
            <th scope="col" className="py-1.5 pr-3 font-medium">
              Before
            </th>
          )}
          {action !== 'deleted' && (
            <th scope="col" className="py-1.5 font-medium">
              {action === 'created' ? 'Value' : 'After'}
            </th>
          )}
        </tr>
      </thead>
      <tbody className="max-md:block">
        {rows.map((row) => (
          <Row key={row.key} row={row} action={action} clock={clock} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row, action, clock }: { row: ChangeRow; action: AuditEntry['action']; clock: ViewersClock }) {
  return (
    <tr className="border-b border-separator align-top last:border-b-0 max-md:block max-md:py-2">
      <th
        scope="row"
        className="py-1.5 pr-3 text-left font-normal break-words text-muted first-letter:uppercase max-md:block max-md:py-0"
      >
        {row.name}
      </th>
      {action !== 'created' && (
        <td className="py-1 pr-3 max-md:block max-md:pr-0">
          <Value value={row.before} side="before" clock={clock} />
        </td>
      )}
      {action !== 'deleted' && (
        <td className="py-1 max-md:block">
          <Value value={row.after} side="after" clock={clock} />
        </td>
      )}
    </tr>
  );
}

const sides = {
  before: { sign: '−', words: 'Before:', className: 'bg-danger-soft text-danger-text' },
  after: { sign: '+', words: 'After:', className: 'bg-success-soft text-success-text' },
} as const;

function Value({ value, side, clock }: { value: ReadValue; side: keyof typeof sides; clock: ViewersClock }) {
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
          {value.isCut && <span className="mt-1 block text-xs">The log keeps the first 1,000 characters.</span>}
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
          {isWhole ? 'Show less' : 'Show all of it'}
        </button>
      )}
    </>
  );
}
