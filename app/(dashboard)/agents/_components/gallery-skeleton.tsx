import { galleryGrid } from './agent-card';

/** The shape of the gallery that is coming. */
export function GallerySkeleton() {
  return (
    <div role="status" aria-label="Loading agents" className={`skeleton-late ${galleryGrid}`}>
      {[0, 1, 2, 3, 4, 5].map((card) => (
        <div
          key={card}
          className="flex h-37 animate-pulse flex-col justify-between rounded-lg border border-border bg-surface p-4"
        >
          <div className="flex items-center gap-3">
            <div className="size-10 rounded-lg bg-default" />
            <div className="flex flex-1 flex-col gap-2">
              <div className="h-3 w-1/2 rounded-sm bg-default" />
              <div className="h-3 w-3/4 rounded-sm bg-default" />
            </div>
          </div>
          <div className="h-3 w-2/3 rounded-sm bg-default" />
        </div>
      ))}
    </div>
  );
}
