/** Errors of openid-client, which have the answers of providers in their causes. */
interface ProviderError {
  code?: unknown;
  /** What the provider calls it (RFC 6749, section 5.2). */
  error?: unknown;
  cause?: unknown;
  claim?: unknown;
}

/** The error and its causes, outermost first. */
export function errorChain(error: unknown): ProviderError[] {
  const found: ProviderError[] = [];
  for (let each = error; typeof each === 'object' && each !== null && found.length < 6; each = (each as ProviderError).cause)
    found.push(each as ProviderError);
  return found;
}

/** What a log may hold of it: its causes include tokens and claims. */
export function loggableError(error: unknown): { message: string; code?: string; claim?: string; network?: string } {
  const errors = errorChain(error);
  const first = (name: keyof ProviderError) => errors.map((each) => each[name]).find((value) => typeof value === 'string');
  const [code, claim] = [first('code'), first('claim')];
  const inner = errors.findLast((each) => each instanceof Error) as Error | undefined;
  return {
    message: error instanceof Error ? error.message.slice(0, 300) : 'unknown',
    ...(code === undefined ? {} : { code: String(code) }),
    ...(claim === undefined ? {} : { claim: String(claim) }),
    ...(inner && inner !== error && inner.name.startsWith('Outbound') ? { network: inner.message } : {}),
  };
}
