import * as z from 'zod';
import { signInInput } from '@/server/features/accounts/account.schema';

/** What can be tried to sign in with: any password, since rules may have changed since it was chosen. */
export const signInSchema = signInInput.extend({ password: z.string().min(1) });
