/** What can be undone at the moment, for the key that undoes the last thing. */

interface Offer {
  undo: () => void;
  /** False once it is over: its message has gone, or it was undone there. */
  isOpen: () => boolean;
}

let offers: Offer[] = [];

/** Lets `z` undo something as long as it is offered on the page. */
export function offerUndo(offer: Offer): void {
  offers = [...offers.filter(({ isOpen }) => isOpen()), offer];
}

/** Undoes what was offered last; pressed again, what was offered before. */
export function undoLast(): void {
  offers = offers.filter(({ isOpen }) => isOpen());
  offers.pop()?.undo();
}
