import type { TestMail } from '@/server/features/mail/status.schema';

type Outcome = Pick<TestMail, 'state' | 'error' | 'recipient'>;

/** True once the outcome is final. */
export function isSettled({ state }: Pick<TestMail, 'state'>): boolean {
  return state === 'sent' || state === 'failed';
}

/** The state of a test mail, as a sentence. */
export function testMailLabel({ state, error, recipient }: Outcome): string {
  if (state === 'sent') return `Test email sent to ${recipient}. Check your inbox and spam.`;
  if (state === 'failed') return `Not delivered. ${error ?? ''}`.trim();
  if (error !== null) return `Couldn’t send it yet. Retrying within the hour. ${error}`;
  return `Sending to ${recipient}…`;
}
