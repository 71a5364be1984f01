import type { ReactNode } from 'react';
import { Button } from './button';
import { Dialog } from './overlay/dialog';
import { PendingButton } from './pending-button';

interface ConfirmDialogProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  title: string;
  /** Describes the consequence. */
  description: ReactNode;
  /** A verb: "Revoke key", not "OK". */
  confirmLabel: string;
  /** The label of cancelling, if "Cancel" is not clear enough: "Keep editing". */
  cancelLabel?: string;
  tone?: 'danger' | 'default';
  onConfirm: () => void;
  isPending?: boolean;
}

/** Asks before something irreversible. The caller closes it, once the action has succeeded. */
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
