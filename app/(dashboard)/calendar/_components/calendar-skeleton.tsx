import { PageHeader } from '@/app/_kit/page-header';

const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const rows = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** The whole page's placeholder. */
export function CalendarSkeleton() {
  return (
    <div data-panes className="lg:flex lg:h-full lg:flex-col lg:px-6 lg:pt-8">
      <PageHeader title="Calendar" />
      <GridSkeleton />
    </div>
  );
}

/** The grid's placeholder: days with hours; on a phone, a list. */
export function GridSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the calendar"
      className="skeleton-late h-full min-h-96 overflow-hidden rounded-lg border border-border bg-surface"
    >
      <div className="flex h-9 border-b border-separator max-md:hidden">
        {columns.map((column) => (
          <div key={column} className="flex flex-1 items-center justify-center border-l border-separator first:border-l-0">
            <div className="h-3 w-12 animate-pulse rounded-sm bg-default" />
          </div>
        ))}
      </div>
      {rows.map((row) => (
        <div key={row} className="flex h-20 border-b border-separator max-md:h-11 max-md:items-center max-md:px-4">
          {columns.map((column) => (
            <div key={column} className="flex-1 border-l border-separator first:border-l-0 max-md:hidden" />
          ))}
          <div className="h-3 w-2/3 animate-pulse rounded-sm bg-default md:hidden" />
        </div>
      ))}
    </div>
  );
}
