'use client';

import dynamic from 'next/dynamic';
import { Button } from '@/app/_kit/button';
import { TRPCProvider } from '@/app/_trpc/client';
import { signOutHere } from './sign-out';

// Loaded on demand: few accounts get here, and every page includes what this file imports.
const CreateIdentityForm = dynamic(() => import('./create-identity-form').then((module) => module.CreateIdentityForm));

/** Creates the first business of an account, or signs out. */
export function NoIdentityForm() {
  return (
    <TRPCProvider>
      <CreateIdentityForm
        secondary={
          <Button variant="secondary" onPress={() => void signOutHere(null)}>
            Sign out
          </Button>
        }
      />
    </TRPCProvider>
  );
}
