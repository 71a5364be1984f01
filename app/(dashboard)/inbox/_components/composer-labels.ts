import type { ComposerChoices } from '@/server/features/conversations/composer.schema';
import type { MailAddressRecord } from '@/server/features/conversations/message.schema';
import { nameOf } from './conversation-labels';

type Sender = ComposerChoices['senders'][number];

/** Why a sender is offered. */
const reasons: Record<Sender['reason'], string> = {
  contextual: 'They wrote to this address',
  identity: 'Your business address',
  whitelisted: 'Alias',
  mailbox: 'Connected mailbox',
  agent: 'Agent’s address',
  fallback: 'This server’s default address; replies still arrive here',
};

export function senderHint(sender: Sender | undefined): string {
  return sender ? reasons[sender.reason] : '';
}

/** The name that recipients see: an agent that signs also adds its name. */
export function nameHint(sender: Sender | undefined, agentName: string | undefined): string {
  const name = agentName ?? sender?.displayName?.trim();
  return name ? `Recipients see “${name}”` : 'Recipients see only the address';
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
  if (count === 0) return 'Add a recipient';
  return count === 1 ? 'To 1 person' : `To ${count} people`;
}

/** Why an email can't be sent because of its files; null if it can. */
export function uploadHint(pending: readonly { problem: string | null }[]): string | null {
  if (pending.length === 0) return null;
  if (pending.some(({ problem }) => problem !== null)) return 'Remove files that can’t be attached';
  return pending.length === 1 ? 'Uploading 1 file…' : `Uploading ${pending.length} files…`;
}
