'use client';

import { Button } from '@/app/_kit/button';
import { ButtonLink } from '../_kit/button-link';
import { PageHeader } from '../_kit/page-header';

/** Shown for an error in one page of the dashboard. The frame stays, so that other pages can be opened. */
export default function DashboardError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <>
      <PageHeader
        title="This page failed"
        description="Something went wrong while showing it. What was saved before is safe, and the other pages go on working."
      />
      <div className="flex gap-2">
        <Button variant="primary" onPress={reset}>
          Try again
        </Button>
        <ButtonLink href="/">Go to Home</ButtonLink>
      </div>
      {error.digest && (
        <p className="mt-4 text-label text-muted">
          If it happens again, report reference <code className="font-mono text-xs select-all">{error.digest}</code>.
        </p>
      )}
    </>
  );
}
