import { Fragment } from 'react';
import type { TextFinder } from '@/server/platform/search-words';

interface MarkedProps {
  text: string;
  /** Nothing is marked without a search. */
  finder: TextFinder | null;
}

/** A text in which the words that were searched for are marked. */
export function Marked({ text, finder }: MarkedProps) {
  const ranges = finder?.rangesIn(text) ?? [];
  if (ranges.length === 0) return text;
  return (
    <>
      {ranges.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(ranges[index - 1]?.[1] ?? 0, from)}
          <mark className="rounded-xs bg-warning-soft text-inherit">{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.[1])}
    </>
  );
}
