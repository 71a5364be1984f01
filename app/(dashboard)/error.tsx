'use client';

import { Button } from '@/app/_kit/button';
import { ButtonLink } from '../_kit/button-link';
import { PageHeader } from '../_kit/page-header';

/** Shown for an error in one page of the dashboard. The frame stays, so that other pages can be opened. */
export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <>
      <PageHeader title="Something went wrong" description="Your saved work is safe, and other pages still work. Try again." />
      <div className="flex gap-2">
        <Button variant="primary" onPress={reset}>
          Try again
        </Button>
        <ButtonLink href="/">Go to Home</ButtonLink>
      </div>
      {error.digest && (
        <p className="mt-4 text-label text-muted">
          If it happens again, report error code <code className="font-mono text-xs select-all">{error.digest}</code>.
        </p>
      )}
    </>
  );
}
