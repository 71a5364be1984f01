import type { SecurityEventRecord } from '@/server/features/audit/security.schema';

/** Labels of what was refused. */
export const securityKindLabels: Record<SecurityEventRecord['kind'], string> = {
  sign_in_failed: 'Sign-in failed',
  sign_in_throttled: 'Sign-in blocked',
  confirmation_failed: 'Confirmation failed',
  confirmation_throttled: 'Confirmation blocked',
  key_refused: 'API key refused',
  scope_refused: 'API request refused',
  origin_refused: 'Request from another site refused',
  rate_limited: 'Limit reached',
  inbound_refused: 'Inbound email refused',
};

const reasonLabels: Record<string, string> = {
  wrong_password: 'Wrong password',
  password_off: 'Password sign-in is off',
  sso_state: 'Single sign-on: answer to no request of this browser',
  sso_nonce: 'Single sign-on: token for another request',
  sso_token: 'Single sign-on: token not valid',
  sso_provider: 'Single sign-on: provider not available',
  sso_denied: 'Single sign-on: refused or canceled at the provider',
  sso_domain: 'Single sign-on: email domain not allowed',
  sso_not_linked: 'Single sign-on: account not connected',
  sso_invitation: 'Single sign-on: no account',
  sso_unverified: 'Single sign-on: email not verified',
  sso_join: 'Single sign-on: no team to join',
  sso_taken: 'Single sign-on: connected to another account',
  sso_connected: 'Single sign-on: another one is connected',
  sso_session: 'Single sign-on: another session',
  sso_other_account: 'Single sign-on: another account',
  sso_stale: 'Single sign-on: no new sign-in at the provider',
  too_many_attempts: 'Too many failed attempts',
  too_many_codes: 'Too many wrong codes',
  code_wrong: 'Wrong code',
  code_used: 'Code was used before',
  code_unreadable: 'Codes can’t be checked',
  unknown_passkey: 'Unknown passkey',
  wrong_passkey: 'Passkey couldn’t be verified',
  expired_passkey: 'Passkey came too late',
  used_passkey: 'Passkey answer was used before',
  cloned_passkey: 'Copy of a passkey',
  invalid_key: 'Unknown key',
  expired_key: 'Key has expired',
  revoked_key: 'Key is revoked',
  identity_override: 'Requested another business',
  cross_origin: 'Came from another website',
  too_many_connections: 'Too many connections',
  rate_limit_exceeded: 'Too many requests',
  quota_exceeded: 'Plan limit reached',
};

/** The reason as text; an unknown code is made readable. */
export function reasonText(reason: string): string {
  const plain = reason.replaceAll('_', ' ');
  return reasonLabels[reason] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** The subject of the attempt: the account, the key or the operation. */
export function subjectText({ kind, account, subject }: Pick<SecurityEventRecord, 'kind' | 'account' | 'subject'>): string {
  if (subject === null) return account ?? '';
  return kind === 'key_refused' ? `${subject}…` : subject;
}

/** The origin of the attempt. */
export function originText(address: string): string {
  return address === 'various' ? 'Multiple addresses' : address;
}
