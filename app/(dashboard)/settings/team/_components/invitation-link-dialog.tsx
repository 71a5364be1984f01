import { Link2 } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { CodeLine } from '@/app/_kit/code-line';
import { Dialog } from '@/app/_kit/overlay/dialog';

/** An invitation that was made and whose link could not be mailed. */
export interface LinkToHandOver {
  email: string;
  url: string;
}

/** Shows the link of an invitation once, where it can't be mailed. A stray click or Escape does not close it. */
export function InvitationLinkDialog({ email, url, onClose }: LinkToHandOver & { onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      isDismissable={false}
      title="Invitation created"
      description={<span className="break-words">For {email}</span>}
      footer={
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      }
    >
      <div className="flex min-w-0 flex-col gap-4">
        <p className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
          <Link2 aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span>Copy the link now and send it yourself. You won’t be able to see it again. It works for 7 days.</span>
        </p>
        <CodeLine label="Invitation link" value={url} copyLabel="Copy link" />
      </div>
    </Dialog>
  );
}
