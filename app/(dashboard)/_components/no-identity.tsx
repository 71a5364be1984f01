'use client';

import { Button } from '@heroui/react/button';
import { BrandMark } from '@/app/_components/brand-mark';
import { signOutHere } from './sign-out';

/** For an account that owns no business: there is nothing to show, but why, and what helps. */
export function NoIdentity({ email }: { email: string }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-16">
      <div className="mb-6 flex items-center gap-2.5">
        <BrandMark />
        <span className="text-base font-semibold tracking-tight">Frontdesk</span>
      </div>
      <section className="rounded-lg border border-border bg-surface p-6">
        <h1 className="text-title font-semibold tracking-tight">No business yet</h1>
        <p className="mt-2 text-muted">
          You are signed in as {email}, but this account owns no business here. Ask whoever runs this installation to add one:
        </p>
        <code className="mt-3 block rounded-md border border-border bg-background-secondary px-3 py-2 font-mono text-label break-words">
          npm run -s admin -- identity create --owner-email {email} …
        </code>
        <div className="mt-5 flex justify-end">
          <Button variant="secondary" onPress={() => void signOutHere('signed-out')}>
            Sign out
          </Button>
        </div>
      </section>
    </main>
  );
}
