'use client';

import { Button } from '@/app/_kit/button';
import { ButtonLink } from './_kit/button-link';
import { MessagePage } from './_kit/message-page';

/** Shown for an error while a page is rendered. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <MessagePage
      title="Something went wrong"
      actions={
        <>
          <Button variant="primary" onPress={reset}>
            Try again
          </Button>
          <ButtonLink href="/">Go to Home</ButtonLink>
        </>
      }
    >
      <p>Your saved work is safe. Try again.</p>
      {error.digest && (
        <p className="text-label">
          If it happens again, report error code <code className="font-mono text-xs select-all">{error.digest}</code>.
        </p>
      )}
    </MessagePage>
  );
}
