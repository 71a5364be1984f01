import { toast } from './toast';

const undoMilliseconds = 8_000;

interface UndoToast {
  message: string;
  description?: string;
  /** A toast with the id of one that still stands takes its place. */
  id?: string;
  onUndo: () => void;
}

/** Says what was done, with a way back for some seconds; it outlives the page. @returns what `toast.dismiss` takes */
export function undoToast({ message, description, id, onUndo }: UndoToast): string | number {
  return toast(message, {
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    duration: undoMilliseconds,
    action: { label: 'Undo', onClick: onUndo },
  });
}
