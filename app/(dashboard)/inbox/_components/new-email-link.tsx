import { SquarePen } from 'lucide-react';
import { ButtonLink } from '@/app/_kit/button-link';
import { isPlainClick } from '@/app/_kit/plain-click';
import { useDraftNames } from '@/app/_kit/use-stored-drafts';
import { newEmailDraft } from './draft-names';
import { useInbox } from './inbox-context';

/** Opens a new email, or the one that was begun on this device. */
export function NewEmailLink({ size }: { size: 'sm' | 'md' }) {
  const { newEmailHref, write } = useInbox();
  const hasDraft = useDraftNames(newEmailDraft).size > 0;
  return (
    <span title="New email (n)" className="contents">
      <ButtonLink
        href={newEmailHref()}
        prefetch={false}
        needs="conversations:send"
        variant="primary"
        size={size}
        aria-keyshortcuts="n"
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          write();
        }}
      >
        <SquarePen aria-hidden />
        {hasDraft ? 'Continue draft' : 'New email'}
      </ButtonLink>
    </span>
  );
}
