import { toast } from './toast';
import { offerUndo } from './undo';

/** How long something can be undone, in milliseconds. */
export const undoMilliseconds = 8_000;

interface UndoToast {
  message: string;
  description?: string;
  /** Replaces a visible toast with the same id. */
  id?: string;
  /** How long it is offered. */
  milliseconds?: number;
  onUndo: () => void;
}

/** Confirms an action and offers to undo it for some seconds, also by `z`; outlives the page. @returns the id for `toast.dismiss` */
export function undoToast({ message, description, id, milliseconds = undoMilliseconds, onUndo }: UndoToast): string | number {
  const undo = () => {
    toast.dismiss(shown);
    onUndo();
  };
  const action = { label: 'Undo', onClick: undo };
  const shown = toast(message, {
    ...(id === undefined ? {} : { id }),
    ...(description === undefined ? {} : { description }),
    duration: milliseconds,
    action,
  });
  offerUndo({ undo, isOpen: () => toast.isShown(shown, action) });
  return shown;
}
