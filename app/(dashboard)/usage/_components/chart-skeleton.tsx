/** In percent, all different: they are their own keys. */
const heights = [
  35, 55, 45, 70, 60, 25, 20, 50, 65, 58, 80, 62, 30, 24, 48, 72, 66, 52, 76, 34, 22, 56, 64, 44, 68, 78, 28, 26, 54, 40,
];

export function ChartSkeleton() {
  return (
    <div role="status" aria-label="Loading chart" className="skeleton-late flex h-full items-end gap-1 pb-7 pl-10">
      {heights.map((height) => (
        <div key={height} className="flex-1 animate-pulse rounded-t-xs bg-default" style={{ height: `${height}%` }} />
      ))}
    </div>
  );
}
