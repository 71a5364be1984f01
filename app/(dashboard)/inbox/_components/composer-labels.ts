import type { ReplyDraft } from '@/server/features/conversations/conversation.schema';
import type { MailAddressRecord } from '@/server/features/conversations/message.schema';
import { nameOf } from './conversation-labels';

type Sender = ReplyDraft['senders'][number];

/** Why a sender is offered. */
const reasons: Record<Sender['reason'], string> = {
  contextual: 'Because they wrote there',
  identity: 'The address of this business',
  whitelisted: 'A further address of this business',
  agent: 'The address of an agent',
  fallback: 'The address this installation sends from; answers still come back here',
};

export function senderHint(sender: Sender | undefined): string {
  return sender ? reasons[sender.reason] : '';
}

/** The name that recipients see: an agent that signs also adds its name. */
export function nameHint(sender: Sender | undefined, agentName: string | undefined): string {
  const name = agentName ?? sender?.displayName?.trim();
  return name ? `Sent under the name ${name}` : 'Sent without a name';
}

/** How many names are shown before an ellipsis. */
const namedMaximum = 2;

/** The label of the closed composer: "Reply to Ann, Bob…". */
export function replyPrompt(recipients: readonly MailAddressRecord[]): string {
  if (recipients.length === 0) return 'Reply';
  const names = recipients.slice(0, namedMaximum).map(nameOf).join(', ');
  return `Reply to ${names}${recipients.length > namedMaximum ? '…' : ''}`;
}

/** The effect of sending. */
export function consequence(count: number): string {
  if (count === 0) return 'Nobody will get this yet';
  return count === 1 ? '1 person will get this' : `${count} people will get this`;
}
