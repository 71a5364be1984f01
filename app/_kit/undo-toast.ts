import { toast } from './toast';

const undoMilliseconds = 8_000;

interface UndoToast {
  message: string;
  description?: string;
  /** Replaces a visible toast with the same id. */
  id?: string;
  onUndo: () => void;
}

/** Confirms an action and offers to undo it for some seconds; outlives the page. @returns the id for `toast.dismiss` */
export function undoToast({ message, description, id, onUndo }: UndoToast): string | number {
  return toast(message, {
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    duration: undoMilliseconds,
    action: { label: 'Undo', onClick: onUndo },
  });
}
