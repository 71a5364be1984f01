import type { CreationOptions, NewCredential, PasskeyAnswer, RequestOptions } from '@/server/features/accounts/passkey.schema';

/** WebAuthn in the browser. The library is loaded when a passkey is first asked for. */
const library = () => import('@simplewebauthn/browser');

/** True if the browser has passkeys at all; without https, none has. */
export function hasPasskeySupport(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** Lets the person make a passkey on a device of theirs. @throws errors that `passkeyProblem` understands */
export async function createPasskey(options: CreationOptions): Promise<NewCredential> {
  const { startRegistration } = await library();
  const { id, response } = await startRegistration({ optionsJSON: options });
  const { clientDataJSON, attestationObject, transports } = response;
  return { id, response: { clientDataJSON, attestationObject, ...(transports ? { transports } : {}) } };
}

/**
 * Lets the person use a passkey. With `isAutofill`, browsers offer it in the email field, and it may never resolve. Asking again
 * ends it.
 *
 * @throws errors that `passkeyProblem` understands
 */
export async function askForPasskey(options: RequestOptions, isAutofill = false): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  const { id, response } = await startAuthentication({ optionsJSON: options, useBrowserAutofill: isAutofill });
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { id, response: { clientDataJSON, authenticatorData, signature, ...(userHandle ? { userHandle } : {}) } };
}

/** True if browsers can offer passkeys in the email field. */
export async function hasPasskeyAutofill(): Promise<boolean> {
  return hasPasskeySupport() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false);
}

/** True for a passkey prompt that the person closed, that ran out of time, or that another one replaced. */
export function isPasskeyCanceled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');
}

const problems: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device or password manager already has a passkey for your account.',
  SecurityError: 'Passkeys don’t work at this address. Open Frontdesk at its usual one.',
  NotSupportedError: 'This device can’t make a passkey. Try another one, or a password manager.',
  ConstraintError: 'This device can’t check that it’s you. Set up a PIN or screen lock first, or use another device.',
};

/** What went wrong in the browser; null for an error of the server. */
export function passkeyProblem(error: unknown): string | null {
  if (!(error instanceof Error) || 'data' in error) return null;
  return problems[error.name] ?? null;
}
