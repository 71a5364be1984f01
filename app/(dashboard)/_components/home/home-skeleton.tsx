export function HomeSkeleton() {
  return (
    <div role="status" aria-label="Loading home" className="skeleton-late">
      <div className="mb-6 h-13">
        <div className="h-6 w-56 max-w-full animate-pulse rounded-sm bg-default" />
        <div className="mt-2 h-3 w-36 animate-pulse rounded-sm bg-default" />
      </div>
      <div className="mb-6 flex h-22 gap-8 rounded-lg border border-border bg-surface p-5">
        {['first', 'second', 'third'].map((figure) => (
          <div key={figure} className="w-28">
            <div className="h-3 w-20 animate-pulse rounded-sm bg-default" />
            <div className="mt-3 h-6 w-10 animate-pulse rounded-sm bg-default" />
          </div>
        ))}
      </div>
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <Rows count={6} />
        <Rows count={3} />
      </div>
    </div>
  );
}

function Rows({ count }: { count: number }) {
  return (
    <div className="self-start rounded-lg border border-border bg-surface">
      {Array.from({ length: count }, (_, row) => row).map((row) => (
        <div key={row} className="border-b border-separator px-5 py-4 last:border-b-0">
          <div className="h-3 w-2/3 animate-pulse rounded-sm bg-default" />
          <div className="mt-2.5 h-3 w-1/3 animate-pulse rounded-sm bg-default" />
        </div>
      ))}
    </div>
  );
}
