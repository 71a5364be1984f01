import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import type { TestIdentity } from './identity';
import { ProviderBrowser, startOidcProvider, type TestProvider } from './oidc-provider';
import type { CallServer } from './rest';
import { sessionCookieOf } from './session';

/** A browser of this installation that uses single sign-on; its cookies are kept. */
export class Browser {
  readonly cookies = new Map<string, string>();
  /** The page that it is on. */
  page = '';

  constructor(
    readonly call: CallServer,
    readonly address = '192.0.2.1',
  ) {}

  /** Opens a path; does not follow where it leads. */
  async open(path: string): Promise<string> {
    const answer = await this.call('GET', path, { headers: this.#headers() });
    this.#keep(answer.cookies);
    this.page = answer.headers.location ?? `${answer.status}`;
    return this.page;
  }

  /** Calls a mutation as the dashboard does. */
  async mutate(procedure: string, input: object): Promise<{ status: number; data: Record<string, unknown> }> {
    const answer = await this.call('POST', `/api/trpc/${procedure}`, {
      json: input,
      headers: { ...this.#headers(), host: 'localhost:3000', origin: 'http://localhost:3000' },
    });
    this.#keep(answer.cookies);
    const body = answer.body as { result?: { data: Record<string, unknown> }; error?: Record<string, unknown> };
    return { status: answer.status, data: body.result?.data ?? body.error ?? {} };
  }

  /** Takes a cookie as of `Set-Cookie`, or `name=value`. */
  take(...cookies: string[]): this {
    this.#keep(cookies);
    return this;
  }

  get isSignedIn(): boolean {
    return this.cookies.has('frontdesk.session');
  }

  header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #headers(): Record<string, string> {
    return { cookie: this.header(), 'x-forwarded-for': this.address, 'user-agent': 'Mozilla/5.0 Firefox/140.0' };
  }

  #keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

/** A real provider (oidc-provider) for the tests of a file, and what people do with it. */
export function withProvider(call: CallServer) {
  let provider: TestProvider;

  beforeAll(async () => {
    provider = await startOidcProvider('http://localhost:3000');
    overrideEnv(provider.settings);
  });

  afterAll(() => provider.close());

  afterEach(() => {
    overrideEnv({ OIDC_ALLOWED_DOMAINS: [], OIDC_AUTO_JOIN: null, PASSWORD_SIGN_IN: 'on', ...provider.settings });
  });

  /** The next person who signs in at the provider. @returns their subject */
  function newPerson(email?: string): string {
    const sub = `person-${randomBytes(4).toString('hex')}`;
    provider.person = { sub, email: email ?? `${sub}@quark.example`, email_verified: true };
    return sub;
  }

  async function signedIn(identity: Pick<TestIdentity, 'actor' | 'owner'>): Promise<Browser> {
    return new Browser(call).take(await sessionCookieOf(identity));
  }

  /** Goes to the provider and back. @returns where it ends */
  async function goAndReturn(browser: Browser, at = new ProviderBrowser()): Promise<string> {
    return browser.open(await at.visit(browser.page));
  }

  /** Goes through single sign-on from the sign-in page. @returns where it ends */
  async function signInThere(browser: Browser, callbackUrl = '/customers', at?: ProviderBrowser): Promise<string> {
    await browser.open(`/api/auth/oidc/start?${new URLSearchParams({ callbackUrl })}`);
    return goAndReturn(browser, at);
  }

  /** Connects the person at the provider to the owner of an identity. @returns the owner's browser */
  async function connect(identity: TestIdentity, at?: ProviderBrowser): Promise<Browser> {
    const browser = await signedIn(identity);
    const { data } = await browser.mutate('singleSignOn.connect', { returnTo: '/settings/security' });
    browser.page = String(data.url);
    expect(await goAndReturn(browser, at)).toBe('/settings/security?sso=done_connect');
    return browser;
  }

  return { person: () => provider.person, issuer: () => provider.issuer, newPerson, signedIn, goAndReturn, signInThere, connect };
}

/** The subjects of emails to an address, oldest first. */
export async function mailsTo(email: string): Promise<string[]> {
  const mails = await prisma().outboxMail.findMany({ where: { recipients: { has: email } }, orderBy: { createdAt: 'asc' } });
  return mails.map(({ subject }) => subject);
}
