import { callNextAuth } from '@/app/_components/next-auth-client';

export type SignInOutcome = 'ok' | 'credentials' | 'unavailable' | { throttledSeconds: number };

/** Signs in and leaves the session in its cookie; going anywhere is up to the caller. */
export async function signInWithPassword(email: string, password: string): Promise<SignInOutcome> {
  const answer = await callNextAuth('callback/credentials', { email, password }).catch(() => null);
  if (!answer) return 'unavailable';
  // next-auth puts the refusal into the address it would lead to; see server/api/next-auth.ts for the messages.
  const refusal = new URL(answer.url, window.location.href).searchParams.get('error');
  if (refusal === null) return answer.ok ? 'ok' : 'unavailable';
  const throttled = /^throttled:(\d+)$/.exec(refusal);
  if (throttled) return { throttledSeconds: Number(throttled[1]) };
  return refusal === 'CredentialsSignin' ? 'credentials' : 'unavailable';
}

/** What a refusal means and what to do next, in words. */
export function describeRefusal(outcome: Exclude<SignInOutcome, 'ok'>): string {
  if (outcome === 'credentials') return 'E-mail and password do not match an account. Check both and try again.';
  if (outcome === 'unavailable') return 'The server could not sign you in right now. Try again in a few seconds.';
  const minutes = Math.ceil(outcome.throttledSeconds / 60);
  const wait = outcome.throttledSeconds < 90 ? `${outcome.throttledSeconds} seconds` : `${minutes} minutes`;
  return `Too many failed attempts. Try again in ${wait}.`;
}
