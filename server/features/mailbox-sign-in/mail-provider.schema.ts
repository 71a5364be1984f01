import * as z from 'zod';

/** Where members can sign in to mailboxes. */
export const mailProvider = z.enum(['google', 'microsoft']);

export type MailProvider = z.output<typeof mailProvider>;
