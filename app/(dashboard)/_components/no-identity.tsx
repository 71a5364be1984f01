'use client';

import dynamic from 'next/dynamic';
import { BrandMark } from '@/app/_kit/brand-mark';
import { Button } from '@/app/_kit/button';
import { TRPCProvider } from '@/app/_trpc/client';

import { signOutHere } from './sign-out';

// Loaded on demand: few accounts get here, and every page includes what this file imports.
const CreateIdentityForm = dynamic(() => import('./create-identity-form').then((module) => module.CreateIdentityForm));

/** For an account without a business: offers to create one. */
export function NoIdentity({ email }: { email: string }) {
  return (
    <TRPCProvider>
      <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-16">
        <div className="mb-6 flex items-center gap-2.5">
          <BrandMark />
          <span className="text-base font-semibold tracking-tight">Frontdesk</span>
        </div>
        <section className="rounded-lg border border-border bg-surface p-6">
          <h1 className="text-title font-semibold tracking-tight">No business yet</h1>
          <p className="mt-2 mb-5 text-muted">
            You’re signed in as <span className="break-words text-foreground">{email}</span>. You don’t have a business yet.
            Create one to get started. It starts on the Free plan.
          </p>
          <CreateIdentityForm
            secondary={
              <Button variant="secondary" onPress={() => void signOutHere(null)}>
                Sign out
              </Button>
            }
          />
        </section>
      </main>
    </TRPCProvider>
  );
}
