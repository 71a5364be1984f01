import type { SingleSignOnRefusal } from './oidc.schema';

/** Single sign-on failed because of what the provider sent, or did not send. */
export class ProviderProblem extends Error {
  override name = 'ProviderProblem';

  constructor(readonly reason: SingleSignOnRefusal) {
    super(`Single sign-on: ${reason}`);
  }
}

interface Described {
  code?: unknown;
  error?: unknown;
  cause?: unknown;
  claim?: unknown;
}

/** The error and its causes, outermost first. */
function chain(error: unknown): Described[] {
  const found: Described[] = [];
  for (let each = error; typeof each === 'object' && each !== null && found.length < 6; each = (each as Described).cause)
    found.push(each as Described);
  return found;
}

/** What a log may hold of an error of openid-client, whose causes include tokens and claims. */
export function problemOf(error: unknown): { message: string; code?: string; claim?: string; network?: string } {
  const errors = chain(error);
  const first = (name: keyof Described) => errors.map((each) => each[name]).find((value) => typeof value === 'string');
  const [code, claim] = [first('code'), first('claim')];
  const inner = errors.findLast((each) => each instanceof Error) as Error | undefined;
  return {
    message: error instanceof Error ? error.message.slice(0, 300) : 'unknown',
    ...(code === undefined ? {} : { code: String(code) }),
    ...(claim === undefined ? {} : { claim: String(claim) }),
    ...(inner && inner !== error && inner.name.startsWith('Outbound') ? { network: inner.message } : {}),
  };
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
  const errors = chain(error);
  const codes = errors.map(({ code }) => code);
  if (codes.includes('OAUTH_AUTHORIZATION_RESPONSE_ERROR')) return 'denied';
  if (errors.some(({ claim }) => claim === 'nonce')) return 'nonce';
  return codes.some((code) => typeof code === 'string' && tokenCodes.has(code)) ? 'token' : 'provider';
}
