import { History } from 'lucide-react';
import { Button } from './button';
import type { DraftOffer } from './draft-scope';
import { RelativeTime } from './relative-time';

/** Offers to restore an unsaved draft of this form. */
export function DraftNotice({ draft }: { draft: DraftOffer }) {
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md bg-info-soft px-3 py-2 text-info-text">
      <p className="flex min-w-0 flex-1 basis-56 items-start gap-2">
        <History aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          <span className="font-medium">Restore your unsaved changes?</span>{' '}
          <span className="text-label">
            Saved in this browser <RelativeTime value={draft.at} />.
          </span>
        </span>
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" onPress={draft.discard}>
          Discard
        </Button>
        <Button variant="primary" size="sm" onPress={draft.restore}>
          Restore
        </Button>
      </div>
    </div>
  );
}
