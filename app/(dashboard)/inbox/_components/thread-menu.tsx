import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { useMedia } from '@/app/_kit/use-media';
import type { ConversationRecord } from '@/server/features/conversations/conversation.schema';
import type { Deletion } from './deletion-dialogs';
import { useBlockSender } from './use-block-sender';
import type { ConversationActions } from './use-conversation-actions';

const DeletionDialogs = onDemandComponent(() => import('./deletion-dialogs').then((module) => module.DeletionDialogs));

interface ThreadMenuProps {
  conversation: ConversationRecord;
  actions: ConversationActions;
  onDetails: () => void;
}

/** Further actions on a conversation; on a phone, also those that have no room for a button. */
export function ThreadMenu({ conversation, actions, onDetails }: ThreadMenuProps) {
  const { counterpart, isSpam, isTrashed } = conversation;
  // Tailwind's `sm`.
  const hasRoom = useMedia('(width >= 40rem)');
  const [asking, setAsking] = useState<Deletion | null>(null);
  const block = useBlockSender(conversation);
  const act = (action: unknown) => {
    if (action === 'unread') actions.markUnread();
    else if (action === 'spam') actions.toggleSpam();
    else if (action === 'details') onDetails();
    else if (action === 'print') void import('./print-conversation').then((module) => module.printConversation(conversation));
    else if (action === 'block') block();
    else setAsking(action as Deletion);
  };
  return (
    <>
      <Dropdown>
        <IconButton label="More actions">
          <Ellipsis aria-hidden />
        </IconButton>
        <Dropdown.Popover placement="bottom end">
          <Dropdown.Menu aria-label="More actions" onAction={act}>
            {!hasRoom && (
              <Dropdown.Item id="details" textValue="Details">
                <Dropdown.Label>Details</Dropdown.Label>
              </Dropdown.Item>
            )}
            {!hasRoom && !isTrashed && (
              <Dropdown.Item id="unread" textValue="Mark as unread" needs="conversations:write">
                <Dropdown.Label>Mark as unread</Dropdown.Label>
              </Dropdown.Item>
            )}
            {!hasRoom && !isTrashed && (
              <Dropdown.Item id="spam" textValue={isSpam ? 'Not spam' : 'Mark as spam'} needs="conversations:write">
                <Dropdown.Label>{isSpam ? 'Not spam' : 'Mark as spam'}</Dropdown.Label>
              </Dropdown.Item>
            )}
            <Dropdown.Item id="print" textValue="Print">
              <Dropdown.Label>Print</Dropdown.Label>
            </Dropdown.Item>
            <Dropdown.Item id="block" textValue="Block sender" needs="conversations:write">
              <span className="flex min-w-0 flex-col">
                <Dropdown.Label>Block sender</Dropdown.Label>
                <span className="truncate text-xs text-muted">{counterpart.email}</span>
              </span>
            </Dropdown.Item>
            <Dropdown.Item id="sender" textValue="Delete all from this sender…" needs="conversations:write">
              <span className="flex min-w-0 flex-col">
                <Dropdown.Label>Delete all from this sender…</Dropdown.Label>
                <span className="truncate text-xs text-muted">{counterpart.email}</span>
              </span>
            </Dropdown.Item>
            <Dropdown.Item id="forever" textValue="Delete forever…" needs="conversations:write" variant="danger">
              <Dropdown.Label>Delete forever…</Dropdown.Label>
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {asking && <DeletionDialogs conversation={conversation} asking={asking} onClose={() => setAsking(null)} />}
    </>
  );
}
