import { errorFacts } from '@/app/_kit/error-facts';
import { callNextAuth, type NextAuthAnswer } from '@/app/_kit/next-auth-client';
import type { FormFailure } from '@/app/_kit/use-form-errors';

/** Why a code was refused; `needed` if the account wants one and none was sent. */
type CodeOutcome = 'needed' | 'wrong' | 'used' | 'unreadable';

export type SignInOutcome =
  | 'ok'
  | 'credentials'
  | { throttledSeconds: number }
  | { code: CodeOutcome }
  | { failure: FormFailure };

/** Shown for a response that next-auth should not give. */
const unexpectedResponse = {
  message: 'Couldn’t sign you in. Try again in a few seconds.',
  requestId: undefined,
};

/** Signs in and leaves the session in its cookie. Navigation is up to the caller. */
export async function signInWithPassword(email: string, password: string, code = ''): Promise<SignInOutcome> {
  let answer: NextAuthAnswer;
  try {
    answer = await callNextAuth('callback/credentials', { email, password, code });
  } catch (error) {
    return { failure: errorFacts(error) };
  }
  // next-auth reports the refusal in the address it would redirect to; see server/features/accounts/next-auth.ts for the messages.
  const refusal = new URL(answer.url, window.location.href).searchParams.get('error');
  if (refusal === null && answer.ok) return 'ok';
  const throttled = /^throttled:(\d+)$/.exec(refusal ?? '');
  if (throttled) return { throttledSeconds: Number(throttled[1]) };
  const ofCode = /^code:(needed|wrong|used|unreadable)$/.exec(refusal ?? '');
  if (ofCode) return { code: ofCode[1] as CodeOutcome };
  return refusal === 'CredentialsSignin' ? 'credentials' : { failure: unexpectedResponse };
}

const codeProblems: Record<CodeOutcome, string> = {
  needed: 'Enter the code to sign in.',
  wrong: 'Incorrect code. Enter the current code from your app, or use a recovery code.',
  used: 'This code was already used. Wait for the next one.',
  unreadable:
    'Codes from the app can’t be checked because the server’s secret has changed. Use a recovery code, or ask your administrator to reset two-factor sign-in.',
};

/** Explains a refusal and the next step, for a form to show. */
export function refusalFailure(outcome: Exclude<SignInOutcome, 'ok'>): FormFailure {
  if (typeof outcome === 'object' && 'failure' in outcome) return outcome.failure;
  return { message: describeRefusal(outcome), requestId: undefined };
}

function describeRefusal(outcome: Exclude<SignInOutcome, 'ok' | { failure: FormFailure }>): string {
  if (outcome === 'credentials') return 'Incorrect email or password.';
  if ('code' in outcome) return codeProblems[outcome.code];
  return `Too many failed attempts. Try again in ${duration(outcome.throttledSeconds)}.`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
