'use client';

import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './overlay/dialog';
import { PendingButton } from './pending-button';

interface ConfirmDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  /** The consequence, named. */
  description: ReactNode;
  /** A verb: "Revoke key", not "OK". */
  confirmLabel: string;
  /** What not doing it means, where "Cancel" leaves that open: "Keep editing". */
  cancelLabel?: string;
  tone?: 'danger' | 'default';
  onConfirm: () => void;
  isPending?: boolean;
}

/** Asks before something that can't be undone. Closing is up to the caller, once the act has succeeded. */
export function ConfirmDialog({
  isOpen,
  onOpenChange,
  title,
  description,
  confirmLabel,
  cancelLabel = 'Cancel',
  tone = 'default',
  onConfirm,
  isPending = false,
}: ConfirmDialogProps) {
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={title}
      description={description}
      footer={
        <>
          <Button variant="secondary" onPress={() => onOpenChange(false)} isDisabled={isPending}>
            {cancelLabel}
          </Button>
          <PendingButton variant={tone === 'danger' ? 'danger' : 'primary'} isPending={isPending} onPress={onConfirm}>
            {confirmLabel}
          </PendingButton>
        </>
      }
    />
  );
}
