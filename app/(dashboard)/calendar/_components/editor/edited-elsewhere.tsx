import { Button } from '@/app/_kit/button';

interface EditedElsewhereProps {
  onLoad: () => void;
  onSaveOver: () => void;
  isSaving: boolean;
}

/** The choice between two versions of an event, once the other one is known. */
export function EditedElsewhere({ onLoad, onSaveOver, isSaving }: EditedElsewhereProps) {
  return (
    <div role="alert" className="rounded-md bg-warning-soft px-3 py-2.5 text-warning-text">
      <p className="font-medium">This event was changed elsewhere while you edited it.</p>
      <p className="text-label">
        Saving over it keeps what you changed here; fields you left alone become those of the newer version.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onPress={onLoad} isDisabled={isSaving}>
          Load the newer version
        </Button>
        <Button variant="secondary" size="sm" onPress={onSaveOver} isDisabled={isSaving}>
          Save over it
        </Button>
      </div>
    </div>
  );
}
