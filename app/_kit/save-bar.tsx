import { Check, GitCompareArrows } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from './button';
import { DraftNotice } from './draft-notice';
import type { DraftOffer } from './draft-scope';
import { FormError } from './form-error';
import { PendingButton } from './pending-button';
import type { FormFailure } from './use-form-errors';
import type { RecordConflict } from './use-record-form';
import { useUncoveredField } from './use-uncovered-field';

interface SaveBarProps {
  isDirty: boolean;
  isSaving: boolean;
  /** Undoes what was saved; null except for a moment after saving. */
  undo: (() => void) | null;
  failure: FormFailure | null;
  conflict: RecordConflict | null;
  /** An earlier draft that can be restored. */
  draft: DraftOffer | null;
  onDiscard: () => void;
}

/**
 * Stays in view at the foot of a form while it has changes, above a phone's navigation; its button submits the form around it.
 */
export function SaveBar({ isDirty, isSaving, undo, failure, conflict, draft, onDiscard }: SaveBarProps) {
  const isOnlyOffer = draft !== null && !(isDirty || isSaving || undo !== null || failure !== null);
  const isShown = isDirty || isSaving || undo !== null || failure !== null || draft !== null;
  const [wasShown, setWasShown] = useState(isShown);
  if (isShown && !wasShown) setWasShown(true);
  const bar = useRef<HTMLDivElement>(null);
  useUncoveredField(bar, isShown);
  // Keeps its space once it was shown: a page that became shorter would jump under the pointer.
  const visibility = isShown ? '' : wasShown ? 'invisible' : 'hidden';
  return (
    <div
      ref={bar}
      data-save-bar={isShown ? '' : undefined}
      className={`sticky bottom-[calc(env(safe-area-inset-bottom)+4.25rem)] z-20 flex flex-col gap-3 rounded-lg border border-border-secondary bg-overlay px-3 py-3 shadow-overlay sm:px-4 lg:bottom-3 ${visibility}`}
    >
      {draft && <DraftNotice draft={draft} />}
      <FormError failure={failure} />
      {conflict && <ConflictNotice conflict={conflict} />}
      <div hidden={isOnlyOffer} className="flex min-h-9 flex-wrap items-center justify-between gap-x-2 gap-y-2 [[hidden]]:hidden">
        <p role="status" className="flex items-center gap-1.5 font-medium">
          {undo && !isDirty ? (
            <>
              <Check aria-hidden className="size-4 text-success-text" />
              Saved
            </>
          ) : (
            'Unsaved changes'
          )}
        </p>
        {undo && !isDirty && !isSaving && (
          <Button variant="secondary" onPress={undo}>
            Undo
          </Button>
        )}
        {(isDirty || isSaving) && (
          <div className="flex gap-2">
            <Button variant="secondary" onPress={onDiscard} isDisabled={isSaving}>
              Discard
            </Button>
            {!conflict && (
              <PendingButton type="submit" variant="primary" isPending={isSaving}>
                Save changes
              </PendingButton>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

/** The parts that were changed both here and elsewhere, and the choice between the two versions. */
function ConflictNotice({ conflict }: { conflict: RecordConflict }) {
  return (
    <div role="alert" className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <GitCompareArrows aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">Changed elsewhere while you were editing. Your changes are kept, but not saved yet.</p>
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
            Use theirs
          </Button>
        </div>
      </div>
    </div>
  );
}
