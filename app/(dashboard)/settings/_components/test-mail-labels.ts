import type { TestMail } from '@/server/features/mail/status.schema';

type Outcome = Pick<TestMail, 'state' | 'error' | 'recipient'>;

/** True once the outcome is final. */
export function isSettled({ state }: Pick<TestMail, 'state'>): boolean {
  return state === 'sent' || state === 'failed';
}

/** The state of a test mail, as a sentence. */
export function testMailLabel({ state, error, recipient }: Outcome): string {
  if (state === 'sent') return `The mail server took it for ${recipient}. Look into that mailbox, and among its unwanted mail.`;
  if (state === 'failed') return `It was not delivered. ${error ?? ''}`.trim();
  if (error !== null) return `It could not be sent yet, and is tried again within the hour. ${error}`;
  return `On its way to ${recipient}…`;
}
