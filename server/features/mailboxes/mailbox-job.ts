import { JobKind } from '@/server/platform/jobs/job';

/** Reading of a mailbox, again and again. */
export interface ReadMailbox {
  identityId: string;
  mailboxId: string;
}

export const readMailboxJob = new JobKind<ReadMailbox>('read-mailbox', 'mailboxes');
