import { Button } from '@/app/_kit/button';
import type { DraftClash } from './draft-sync';

interface DraftClashNoticeProps {
  clash: DraftClash<unknown>;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Asks which version of a draft to keep, after another device has changed, sent or deleted it. */
export function DraftClashNotice({ clash, onKeepMine, onTakeTheirs }: DraftClashNoticeProps) {
  const isChanged = clash.kind === 'changed';
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text"
    >
      <p className="min-w-0 flex-1 basis-56 text-label">
        {isChanged ? 'This draft was changed on another device.' : 'This draft was sent or deleted on another device.'}
      </p>
      <div className="flex gap-2">
        <Button variant="secondary" size="sm" onPress={onKeepMine}>
          {isChanged ? 'Keep this version' : 'Keep as a new draft'}
        </Button>
        <Button variant="secondary" size="sm" onPress={onTakeTheirs}>
          {isChanged ? 'Use the other one' : 'Delete'}
        </Button>
      </div>
    </div>
  );
}
