import { PageHeader } from '@/app/_kit/page-header';
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
