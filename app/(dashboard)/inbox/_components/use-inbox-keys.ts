'use client';

import { usePageKeys } from '@/app/_kit/use-page-keys';
import { type InboxCommand, inboxKeys } from './inbox-keys';

/** Runs the inbox's shortcuts. */
export function useInboxKeys(handlers: Partial<Record<InboxCommand, () => void>>): void {
  usePageKeys('Inbox', inboxKeys, handlers);
}
