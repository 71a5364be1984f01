interface SkeletonLinesProps {
  /** The approximate number of expected rows. */
  lines?: number;
  /** `rows` for tables and lists (44 px each), `text` for prose and forms. */
  shape?: 'rows' | 'text';
  /** What is loading, for screen readers. */
  label?: string;
}

const widths = ['w-5/6', 'w-2/3', 'w-3/4', 'w-1/2', 'w-4/5'];

/** A placeholder while content is loading. Invisible for the first 150 ms, so that a fast response does not flicker. */
export function SkeletonLines({ lines = 5, shape = 'rows', label = 'Loading' }: SkeletonLinesProps) {
  return (
    <div role="status" aria-label={label} className="skeleton-late">
      {Array.from({ length: lines }, (_, index) => index).map((line) => (
        <div key={line} className={shape === 'rows' ? 'flex h-11 items-center gap-4 border-b border-separator px-4' : 'py-1.5'}>
          <div className={`h-3 animate-pulse rounded-sm bg-default ${widths[line % widths.length]}`} />
          {shape === 'rows' && <div className="ml-auto h-3 w-16 animate-pulse rounded-sm bg-default" />}
        </div>
      ))}
    </div>
  );
}
