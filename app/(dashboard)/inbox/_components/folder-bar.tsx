import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { toast } from '@/app/_kit/toast';
import { useInbox } from './inbox-context';
import { countedConversations, useDeleteMany } from './use-trash';

type EmptiedFolder = 'spam' | 'trash';

interface FolderTexts {
  note: string;
  action: string;
  question: string;
  consequence: string;
  done: (deleted: number) => string;
}

const texts: Record<EmptiedFolder, FolderTexts> = {
  spam: {
    note: 'Spam stays until you delete it.',
    action: 'Delete all spam',
    question: 'Delete all spam?',
    consequence: 'All spam is moved to the trash, where it can be restored for 30 days.',
    done: (deleted) => `${countedConversations(deleted)} moved to trash`,
  },
  trash: {
    note: 'Permanently deleted after 30 days.',
    action: 'Empty trash',
    question: 'Empty the trash?',
    consequence:
      'Everything in the trash is permanently deleted, with messages, attachments and notes, and its storage is free again. This can’t be undone.',
    done: (deleted) => `${countedConversations(deleted)} deleted forever`,
  },
};

/** Above the list of spam or trash: how long it is kept, and a button that empties it. */
export function FolderBar({ folder }: { folder: EmptiedFolder }) {
  const { close, shownId } = useInbox();
  const [isAsking, setIsAsking] = useState(false);
  const { mutate, isPending } = useDeleteMany();
  const { note, action, question, consequence, done } = texts[folder];
  const empty = () =>
    mutate(
      { folder },
      {
        onSuccess: (deleted) => {
          setIsAsking(false);
          toast(done(deleted));
          if (shownId !== null) close();
        },
      },
    );
  return (
    <div className="flex items-center justify-between gap-2 border-b border-separator py-1.5 pr-2 pl-4 text-xs text-muted sm:max-lg:px-6">
      {note}
      <Button variant="ghost" size="sm" needs="conversations:write" onPress={() => setIsAsking(true)}>
        {action}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={question}
        description={consequence}
        confirmLabel={action}
        tone="danger"
        isPending={isPending}
        onConfirm={empty}
      />
    </div>
  );
}
