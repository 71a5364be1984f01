'use client';

import { Button } from '@/app/_kit/button';
import { NewKey } from '@/app/_kit/new-key';
import { Dialog } from '@/app/_kit/overlay/dialog';

/** Shows a key once. A stray click or Escape does not close it, since it would be gone for good. */
export function IssuedKeyDialog({ name, value, onClose }: { name: string; value: string; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      isDismissable={false}
      size="lg"
      title={`Your new key: ${name}`}
      footer={
        <Button variant="primary" onPress={onClose}>
          I have copied it
        </Button>
      }
    >
      <NewKey value={value} />
    </Dialog>
  );
}
