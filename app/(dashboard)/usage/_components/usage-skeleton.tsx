import { ChartSkeleton } from './chart-skeleton';

/** The page's shape while it loads: two meters and the chart. */
export function UsageSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <div role="status" aria-label="Loading usage" className="skeleton-late rounded-lg border border-border bg-surface p-5">
        {['tokens', 'executions'].map((meter) => (
          <div key={meter} className="py-3">
            <div className="h-3 w-24 animate-pulse rounded-sm bg-default" />
            <div className="mt-3 h-6 animate-pulse rounded-md bg-default" />
            <div className="mt-3 h-3 w-64 max-w-full animate-pulse rounded-sm bg-default" />
          </div>
        ))}
      </div>
      <div className="h-80 rounded-lg border border-border bg-surface p-5">
        <ChartSkeleton />
      </div>
    </div>
  );
}
