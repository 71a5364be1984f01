'use client';

import { Button } from '@/app/_kit/button';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { CreateIdentityForm } from './create-identity-form';

/** One more business, from the menu of those there are. */
export function CreateIdentityDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="New business"
      description="It has its own customers, mail, calendar, blog, keys and plan, and begins on the free one."
    >
      <CreateIdentityForm
        secondary={
          <Button variant="secondary" onPress={onClose}>
            Cancel
          </Button>
        }
      />
    </Dialog>
  );
}
