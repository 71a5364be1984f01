import { GitCompareArrows } from 'lucide-react';
import { Button } from './button';
import type { RecordConflict } from './use-record-form';

/** What somebody else changed while it was changed here, and the choice between both. */
export function ConflictNotice({ conflict }: { conflict: RecordConflict }) {
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <GitCompareArrows aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">Changed elsewhere while you edited it. Nothing of yours is lost, and nothing is saved yet.</p>
        <dl className="mt-1 max-h-40 overflow-y-auto text-label">
          {conflict.parts.map(({ name, theirs }) => (
            <div key={name} className="wrap-anywhere">
              <dt className="inline">{name}, theirs:</dt> <dd className="inline font-medium">{theirs}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onPress={conflict.keepMine}>
            Keep mine
          </Button>
          <Button variant="secondary" size="sm" onPress={conflict.takeTheirs}>
            Take theirs
          </Button>
        </div>
      </div>
    </div>
  );
}
