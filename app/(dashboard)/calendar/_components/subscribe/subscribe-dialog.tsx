'use client';

interface SubscribeDialogProps {
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

/** The secret address at which calendar programs subscribe: made, shown, renewed and revoked here. */
export function SubscribeDialog({ isOpen }: SubscribeDialogProps) {
  return isOpen ? <p /> : null;
}
