import type { Metadata } from 'next';
import { NothingOpen } from './_components/nothing-open';

export const metadata: Metadata = { title: 'Inbox' };

/** The inbox with no conversation open. */
export default function InboxPage() {
  return <NothingOpen />;
}
