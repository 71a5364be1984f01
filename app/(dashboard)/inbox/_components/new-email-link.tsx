import { SquarePen } from 'lucide-react';
import { ButtonLink } from '@/app/_kit/button-link';
import { isPlainClick } from '@/app/_kit/plain-click';
import { useDraftNames } from '@/app/_kit/use-stored-drafts';
import { isUuid } from '@/app/_kit/uuid';
import { newEmailDrafts } from './draft-names';
import { useInbox } from './inbox-context';

/** Opens a new email, or the one that only this device has. */
export function NewEmailLink({ size }: { size: 'sm' | 'md' }) {
  const { newEmailHref, write, openDraftId } = useInbox();
  const [unsaved] = [...useDraftNames(newEmailDrafts)].filter((id) => isUuid(id) && id !== openDraftId);
  const start = unsaved === undefined ? {} : { draft: unsaved };
  return (
    <span title="New email (n)" className="contents">
      <ButtonLink
        href={newEmailHref(start)}
        prefetch={false}
        needs="conversations:send"
        variant="primary"
        size={size}
        aria-keyshortcuts="n"
        onClick={(event) => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          write(start);
        }}
      >
        <SquarePen aria-hidden />
        {unsaved === undefined ? 'New email' : 'Continue draft'}
      </ButtonLink>
    </span>
  );
}
