import { errorFacts } from '@/app/_kit/error-facts';
import { callNextAuth, type NextAuthAnswer } from '@/app/_kit/next-auth-client';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import type { PasskeyAnswer } from '@/server/features/accounts/passkey.schema';

/** Why a code was refused. */
type CodeOutcome = 'wrong' | 'used' | 'unreadable';

/** Why a passkey was refused. */
type PasskeyOutcome = 'unknown' | 'wrong' | 'expired' | 'used' | 'cloned';

/** What an account has besides its password. */
export type SecondFactorMethod = 'app' | 'passkey';

export type SignInOutcome =
  | 'ok'
  | 'credentials'
  | 'password_off'
  | { throttledSeconds: number }
  | { needed: SecondFactorMethod[] }
  | { code: CodeOutcome }
  | { passkey: PasskeyOutcome }
  | { failure: FormFailure };

/** Shown for a response that next-auth should not give. */
const unexpectedResponse = {
  message: 'Couldn’t sign you in. Try again in a few seconds.',
  requestId: undefined,
};

/** Signs in and leaves the session in its cookie. Navigation is up to the caller. `passkey` is the second factor instead of a code. */
export function signInWithPassword(
  email: string,
  password: string,
  { code = '', passkey }: { code?: string; passkey?: PasskeyAnswer } = {},
): Promise<SignInOutcome> {
  const proof: Record<string, string> = passkey ? { passkey: JSON.stringify(passkey) } : { code };
  return request('callback/credentials', { email, password, ...proof });
}

/** Signs in with a passkey alone. */
export function signInWithPasskey(passkey: PasskeyAnswer): Promise<SignInOutcome> {
  return request('callback/passkey', { passkey: JSON.stringify(passkey) });
}

async function request(
  action: 'callback/credentials' | 'callback/passkey',
  fields: Record<string, string>,
): Promise<SignInOutcome> {
  let answer: NextAuthAnswer;
  try {
    answer = await callNextAuth(action, fields);
  } catch (error) {
    return { failure: errorFacts(error) };
  }
  // next-auth reports the refusal in the address it would redirect to; see server/features/accounts/next-auth.ts for the messages.
  const refusal = new URL(answer.url, window.location.href).searchParams.get('error');
  if (refusal === null && answer.ok) return 'ok';
  return outcomeOf(refusal ?? '');
}

function outcomeOf(refusal: string): SignInOutcome {
  if (refusal === 'CredentialsSignin') return 'credentials';
  if (refusal === 'password_off') return refusal;
  const [, kind, detail = ''] = /^(throttled|second_factor|code|passkey):([\w,]+)$/.exec(refusal) ?? [];
  switch (kind) {
    case 'throttled':
      return { throttledSeconds: Number(detail) };
    case 'second_factor':
      return { needed: detail.split(',') as SecondFactorMethod[] };
    case 'code':
      return { code: detail as CodeOutcome };
    case 'passkey':
      return { passkey: detail as PasskeyOutcome };
    default:
      return { failure: unexpectedResponse };
  }
}

const codeProblems: Record<CodeOutcome, string> = {
  wrong: 'Incorrect code. Enter the current code from your app, or use a recovery code.',
  used: 'This code was already used. Wait for the next one.',
  unreadable:
    'Codes from the app can’t be checked because the server’s secret has changed. Use a recovery code, or ask your administrator to reset two-factor sign-in.',
};

const passkeyProblems: Record<PasskeyOutcome, string> = {
  unknown: 'This passkey doesn’t belong to the account. It may have been removed from it. Try another one.',
  wrong: 'Your passkey couldn’t be verified. Try again.',
  expired: 'That took too long. Try again.',
  used: 'That took too long. Try again.',
  cloned: 'This passkey was refused because a copy of it may exist. Sign in another way, then remove it.',
};

/** Explains a refusal and the next step, for a form to show. */
export function refusalFailure(outcome: Exclude<SignInOutcome, 'ok'>): FormFailure {
  if (typeof outcome === 'object' && 'failure' in outcome) return outcome.failure;
  return { message: describeRefusal(outcome), requestId: undefined };
}

function describeRefusal(outcome: Exclude<SignInOutcome, 'ok' | { failure: FormFailure }>): string {
  if (outcome === 'credentials') return 'Incorrect email or password.';
  if (outcome === 'password_off') {
    return 'Passwords don’t sign in here. Use another way; owners can use their password with a recovery code.';
  }
  if ('needed' in outcome) return 'Complete the second step to sign in.';
  if ('code' in outcome) return codeProblems[outcome.code];
  if ('passkey' in outcome) return passkeyProblems[outcome.passkey];
  return `Too many failed attempts. Try again in ${duration(outcome.throttledSeconds)}.`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} seconds`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`;
}
