import { LocalNumber } from './local-number';

interface ListTotalProps {
  total: number;
  /** False where at least this many match. */
  isExact?: boolean;
  /** What one and several of them are called. */
  one: string;
  many: string;
  /** In which order they stand: "newest first". */
  order: string;
}

/** How many match, and in which order they stand. */
export function ListTotal({ total, isExact = true, one, many, order }: ListTotalProps) {
  return (
    <p role="status" className="ml-auto text-label whitespace-nowrap text-muted">
      <LocalNumber value={total} />
      {isExact ? '' : '+'} {total === 1 && isExact ? one : many}
      {total > 1 && `, ${order}`}
    </p>
  );
}
