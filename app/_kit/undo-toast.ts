import { toast } from './toast';
import { offerUndo } from './undo';

/** How long something can be undone, in milliseconds. */
export const undoMilliseconds = 8_000;

interface UndoToast {
  message: string;
  description?: string;
  /** Replaces a visible toast with the same id. */
  id?: string;
  onUndo: () => void;
}

/** Confirms an action and offers to undo it for some seconds, also by `z`; outlives the page. @returns the id for `toast.dismiss` */
export function undoToast({ message, description, id, onUndo }: UndoToast): string | number {
  const action = { label: 'Undo', onClick: onUndo };
  const shown = toast(message, {
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    duration: undoMilliseconds,
    action,
  });
  const undo = () => {
    toast.dismiss(shown);
    onUndo();
  };
  offerUndo({ undo, isOpen: () => toast.isShown(shown, action) });
  return shown;
}
