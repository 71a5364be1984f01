import type { Metadata } from 'next';
import { NothingOpen } from './_components/nothing-open';

export const metadata: Metadata = { title: 'Inbox' };

export default function InboxPage() {
  return <NothingOpen />;
}
