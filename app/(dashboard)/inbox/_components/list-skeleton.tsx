const rows = [0, 1, 2, 3, 4, 5, 6];

/** The shape of the list that is coming. */
export function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading conversations" className="skeleton-late">
      {rows.map((row) => (
        <div key={row} className="flex animate-pulse flex-col gap-2.5 border-b border-separator py-4 pr-4 pl-7">
          <div className="flex justify-between">
            <div className="h-3 w-2/5 rounded-sm bg-default" />
            <div className="h-3 w-14 rounded-sm bg-default" />
          </div>
          <div className="h-3 w-3/4 rounded-sm bg-default" />
          <div className="h-3 w-11/12 rounded-sm bg-default" />
        </div>
      ))}
    </div>
  );
}
