import { errorChain } from '@/server/platform/fetch/provider-error';
import type { SingleSignOnRefusal } from './oidc.schema';

/** Single sign-on failed because of what the provider sent, or did not send. */
export class ProviderProblem extends Error {
  override name = 'ProviderProblem';

  constructor(readonly reason: SingleSignOnRefusal) {
    super(`Single sign-on: ${reason}`);
  }
}

/** What the token itself is refused for; all other failures are the provider's. */
const tokenCodes = new Set([
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_UNSUPPORTED_OPERATION',
  'OAUTH_PARSE_ERROR',
]);

/** The reason for an error of openid-client while the provider's answer was read. */
export function refusalOf(error: unknown): SingleSignOnRefusal {
  const errors = errorChain(error);
  const codes = errors.map(({ code }) => code);
  if (codes.includes('OAUTH_AUTHORIZATION_RESPONSE_ERROR')) return 'denied';
  if (errors.some(({ claim }) => claim === 'nonce')) return 'nonce';
  return codes.some((code) => typeof code === 'string' && tokenCodes.has(code)) ? 'token' : 'provider';
}
