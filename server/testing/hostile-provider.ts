import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenID Connect provider that answers whatever a test wants, such as forged tokens. */
export interface HostileProvider {
  issuer: string;
  settings: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string };
  /** Claims in place of good ones; undefined leaves one out. */
  claims: Record<string, unknown>;
  /** That of the visit. */
  nonce: string | null;
  /** The header's algorithm; `none` signs nothing. */
  alg: 'ES256' | 'none';
  /** Signs with a key that is not published. */
  hasOtherKey: boolean;
  /** Answers requests for these paths in place of the provider. */
  answers: Map<string, (request: IncomingMessage, response: ServerResponse) => void>;
  /** Paths that were asked for, with their bodies. */
  requests: { path: string; body: string }[];
  /** Begins a good state of all the above. */
  reset(): void;
  close(): Promise<void>;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims: object, alg: string, key: KeyObject): string {
  const content = `${encode({ alg, typ: 'JWT', kid: 'k1' })}.${encode(claims)}`;
  if (alg === 'none') return `${content}.`;
  const signature = createSign('sha256').update(content).sign({ key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

export async function startHostileProvider(): Promise<HostileProvider> {
  const published = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: HostileProvider = {
    issuer,
    settings: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'frontdesk', OIDC_CLIENT_SECRET: 'a secret of the client' },
    claims: {},
    nonce: null,
    alg: 'ES256',
    hasOtherKey: false,
    answers: new Map(),
    requests: [],
    reset: () => {
      Object.assign(provider, { claims: {}, alg: 'ES256', hasOtherKey: false, requests: [] });
      provider.answers.clear();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  const idToken = () => {
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: issuer, aud: 'frontdesk', sub: 'ann', iat: now, exp: now + 300, email_verified: true };
    const key = provider.hasOtherKey ? other.privateKey : published.privateKey;
    return signed({ ...good, email: 'ann@quark.example', nonce: provider.nonce, ...provider.claims }, provider.alg, key);
  };
  const documents: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256', 'none'],
    }),
    '/jwks': () => ({ keys: [{ ...published.publicKey.export({ format: 'jwk' }), kid: 'k1', use: 'sig', alg: 'ES256' }] }),
    '/token': () => ({ access_token: 'access', token_type: 'Bearer', expires_in: 300, id_token: idToken() }),
  };
  server.on('request', async (request, response) => {
    const path = request.url ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    provider.requests.push({ path, body: Buffer.concat(chunks).toString() });
    const answer = provider.answers.get(path);
    if (answer) return answer(request, response);
    const document = documents[path];
    if (!document) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document()));
  });
  return provider;
}
