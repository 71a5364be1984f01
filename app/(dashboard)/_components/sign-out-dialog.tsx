import { useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { countDrafts } from '@/app/_kit/draft-store';
import { signOutHere } from './sign-out';

interface SignOutDialogProps {
  userId: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

/** Asks before signing out deletes unsaved drafts. */
export function SignOutDialog({ userId, isOpen, onOpenChange }: SignOutDialogProps) {
  const [isLeaving, setIsLeaving] = useState(false);
  const count = isOpen ? countDrafts(userId) : 0;
  const leave = async () => {
    setIsLeaving(true);
    await signOutHere(userId);
    setIsLeaving(false);
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title="Sign out?"
      description={`This browser has ${count === 1 ? '1 unsent or unsaved draft' : `${count} unsent or unsaved drafts`}. Signing out deletes ${
        count === 1 ? 'it' : 'them'
      }.`}
      confirmLabel="Sign out and delete drafts"
      cancelLabel="Stay signed in"
      tone="danger"
      isPending={isLeaving}
      onConfirm={() => void leave()}
    />
  );
}
