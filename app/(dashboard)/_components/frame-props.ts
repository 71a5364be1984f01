import type { Account } from '@/server/features/accounts/account.schema';

/** The data of the frame: the signed-in account and the current business. */
export interface FrameProps {
  account: Account;
  identity: Account['identities'][number];
}
