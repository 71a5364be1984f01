import type { Metadata } from 'next';
import { ButtonLink } from './_kit/button-link';
import { MessagePage } from './_kit/message-page';

export const metadata: Metadata = { title: 'Page not found' };

/** Shown for an unknown address, or a record that was deleted or belongs to another business. */
export default function NotFound() {
  return (
    <MessagePage
      title="Page not found"
      actions={
        <ButtonLink href="/" variant="primary">
          Go to Home
        </ButtonLink>
      }
    >
      <p>This page doesn’t exist, or it belongs to another of your businesses.</p>
    </MessagePage>
  );
}
