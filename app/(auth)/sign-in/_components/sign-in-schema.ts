import * as z from 'zod';
import { signInInput } from '@/server/features/accounts/account.schema';

/** Accepts any password, since the rules may have changed since it was chosen. */
export const signInSchema = signInInput.extend({ password: z.string().min(1) });
