import type { Account } from '@/server/features/accounts/account.schema';

/** What the frame shows of who is signed in, and of the business at hand. */
export interface FrameProps {
  account: Account;
  identity: Account['identities'][number];
}
