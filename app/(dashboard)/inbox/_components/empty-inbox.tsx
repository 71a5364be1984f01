import { PageHeader } from '@/app/_components/page-header';
import { TryIt } from './try-it';

/** The inbox before the first mail: how to get one. */
export function EmptyInbox() {
  return (
    <>
      <PageHeader title="Inbox" />
      <TryIt />
    </>
  );
}
