import { isPasskeyAddress } from '@/server/platform/auth/sign-in-settings';
import { publicUrl } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';

/** This installation as passkeys know it (WebAuthn's relying party). */
export interface RelyingParty {
  /** The host name that passkeys are bound to. */
  id: string;
  /** The only origin whose pages may use them. */
  origin: string;
}

/** Derived from PUBLIC_URL, never from a header: who controls the Host header must not choose where passkeys work. */
export function relyingParty(): RelyingParty {
  const { hostname, origin } = new URL(publicUrl());
  return { id: hostname, origin };
}

/** True if browsers allow passkeys at this address: they need https and a host name, or localhost. */
export function arePasskeysPossible(): boolean {
  return isPasskeyAddress(publicUrl());
}

/** @throws AppError conflict where browsers would refuse to use passkeys */
export function requirePasskeysPossible(): void {
  if (arePasskeysPossible()) return;
  throw new AppError(
    'conflict',
    'Passkeys need https and a host name. Ask your administrator to set PUBLIC_URL to such an address.',
  );
}
