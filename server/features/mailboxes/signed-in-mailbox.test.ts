import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { sendOverSmtp } from '@/server/platform/mail/smtp-transport';
import { withFreshDatabase } from '@/server/testing/database';
import { dovecot } from '@/server/testing/dovecot';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { startMailProvider, type TestMailProvider } from '@/server/testing/mail-provider';
import { ProviderBrowser } from '@/server/testing/oidc-provider';
import { mailProviders } from '../mailbox-sign-in/mail-provider';
import { deleteMailboxClient, setMailboxClient } from '../mailbox-sign-in/mailbox-client.service';
import { dropAccessToken } from '../mailbox-sign-in/mailbox-login.service';
import { mailboxTarget } from '../outbox/mailbox-target';
import { findMailbox, type MailboxRow, serverOf } from './mailbox.record';
import { beginSignInInput, createMailboxInput, updateMailboxInput } from './mailbox.schema';
import { createMailbox, deleteMailbox, getMailbox, listMailboxes, updateMailbox } from './mailbox.service';
import { readScheduled } from './mailbox-reading';
import { beginSignIn, beginSignInAgain, finishSignIn } from './signed-in-mailbox.service';

/** Signing in to a mailbox at a provider: real pages, a real IMAP server, and an SMTP server that take its access tokens. */

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

describe.skipIf(dovecot === null)('a mailbox at a provider', () => {
  let provider: TestMailProvider;
  let desk: TestIdentity;

  beforeAll(async () => {
    provider = await startMailProvider();
  });

  afterAll(() => provider.close());

  beforeEach(async () => {
    desk = await createTestIdentity();
    provider.pages.person = { sub: 'shop', email: 'shop@quark.example', email_verified: true };
    await setMailboxClient(desk.actor, { provider: 'google', ...provider.client, tenantId: null });
  });

  afterEach(() => {
    provider.rotates = false;
    provider.beforeTokens = () => Promise.resolve();
  });

  const wanted = beginSignInInput.parse({ provider: 'google', address: 'shop@quark.example', username: 'shop' });

  const cookieOf = (setCookie: string) => setCookie.split(';')[0] ?? '';

  /** Signs in at the provider. @returns what it answers the browser with */
  async function visit(begun: { url: string; cookie: string }): Promise<{ query: string; cookie: string }> {
    const path = await new ProviderBrowser().visit(begun.url);
    expect(path).toMatch(/^\/settings\/mailboxes\/signed-in\?/);
    return { query: path.slice(path.indexOf('?') + 1), cookie: cookieOf(begun.cookie) };
  }

  async function connect(changes: object = {}, owner = desk) {
    const { query, cookie } = await visit(await beginSignIn(owner.actor, { ...wanted, ...changes }));
    return finishSignIn(owner.actor, query, cookie);
  }

  async function rowOf(mailboxId: string): Promise<MailboxRow> {
    const row = await findMailbox(pool(), desk.identityId, mailboxId);
    if (!row) throw new Error('The mailbox is gone.');
    return row;
  }

  const tokensOf = async (mailboxId: string) => {
    const { rows } = await pool().query<{ refresh_token: string; access_token: string; expires_at: Date }>(
      'SELECT refresh_token, access_token, expires_at FROM mailbox_tokens WHERE mailbox_id = $1',
      [mailboxId],
    );
    return rows[0];
  };

  const letExpire = (mailboxId: string) =>
    pool().query(`UPDATE mailbox_tokens SET expires_at = now() + interval '4 minutes' WHERE mailbox_id = $1`, [mailboxId]);

  test('is connected without a password, and no token is shown anywhere', async () => {
    const mailbox = await connect();
    expect(mailbox).toMatchObject({
      ...{ address: 'shop@quark.example', provider: 'google', username: 'shop', status: 'new' },
      outgoing: { host: '127.0.0.1', port: provider.smtp.port, username: 'shop' },
    });
    const tokens = await tokensOf(mailbox.id);
    const { accessToken = '' } = await serverOf(await rowOf(mailbox.id));
    expect(await provider.pages.accountOf(accessToken)).toBe('shop');
    const { rows } = await pool().query('SELECT after FROM audit_entries WHERE identity_id = $1', [desk.identityId]);
    expect(rows.length).toBeGreaterThan(1);
    const shown = JSON.stringify([rows, tokens, await listMailboxes(desk.actor)]);
    for (const secret of [accessToken, provider.client.clientSecret]) expect(shown).not.toContain(secret);
  });

  test('is sent from with an access token', async () => {
    const { id } = await connect();
    const { options, credentialsOf } = await mailboxTarget(desk.identityId, id, new AbortController().signal);
    const { ca = '' } = mailProviders.google.smtp;
    const mail = {
      ...{ messageId: '<a@quark.example>', from: { email: 'shop@quark.example', displayName: null }, to: [], cc: [] },
      ...{ subject: 'Hello', text: 'Hi', html: null, inReplyTo: null, references: [], date: new Date() },
      recipients: ['ann@x.example'],
    };
    await sendOverSmtp({ options: { ...options, tls: { ca } }, credentialsOf }, mail);
    expect(provider.smtp.accepted).toMatchObject([{ user: 'shop', recipients: ['ann@x.example'] }]);
    const auth = { type: 'OAuth2' as const, user: 'shop', accessToken: 'made up' };
    await expect(sendOverSmtp({ options: { ...options, auth, tls: { ca } }, credentialsOf }, mail)).rejects.toMatchObject({
      message: expect.stringContaining('The mail server refused the user or password of the mailbox shop@quark.example'),
    });
    expect(provider.smtp.accepted).toHaveLength(1);
  });

  test('gets a further access token before the last one ends', async () => {
    const { id } = await connect();
    const first = await serverOf(await rowOf(id));
    expect(await serverOf(await rowOf(id))).toEqual(first);
    await letExpire(id);
    const { refresh_token: kept } = (await tokensOf(id)) ?? {};
    const second = await serverOf(await rowOf(id));
    expect(second.accessToken).not.toBe(first.accessToken);
    expect(await provider.pages.accountOf(second.accessToken ?? '')).toBe('shop');
    expect(await tokensOf(id)).toMatchObject({ refresh_token: kept });
    expect(await serverOf(await rowOf(id))).toEqual(second);
    provider.rotates = true;
    await letExpire(id);
    const third = await serverOf(await rowOf(id));
    expect((await tokensOf(id))?.refresh_token).not.toBe(kept);
    await letExpire(id);
    expect((await serverOf(await rowOf(id))).accessToken).not.toBe(third.accessToken);
  });

  test('keeps what a sign-in gives while a further access token is fetched', async () => {
    const { id } = await connect();
    await letExpire(id);
    const again = await visit(await beginSignInAgain(desk.actor, id));
    let isFirst = true;
    let signedIn: unknown;
    provider.beforeTokens = async () => {
      if (!isFirst) return;
      isFirst = false;
      await finishSignIn(desk.actor, again.query, again.cookie);
      signedIn = await tokensOf(id);
    };
    const { accessToken = '' } = await serverOf(await rowOf(id));
    expect(signedIn).toBeDefined();
    expect(await tokensOf(id)).toEqual(signedIn);
    expect(await provider.pages.accountOf(accessToken)).toBe('shop');
  });

  test('may be disconnected while a further access token is fetched', async () => {
    const { id } = await connect();
    await letExpire(id);
    const row = await rowOf(id);
    provider.beforeTokens = () => deleteMailbox(desk.actor, id);
    expect((await serverOf(row)).accessToken).toBeDefined();
    expect(await tokensOf(id)).toBeUndefined();
  });

  test('gets a further access token after one was refused before its time', async () => {
    const { id } = await connect();
    const refused = await serverOf(await rowOf(id));
    await dropAccessToken({ identityId: desk.identityId, mailboxId: id });
    const { accessToken = '' } = await serverOf(await rowOf(id));
    expect(accessToken).not.toBe(refused.accessToken);
    expect(await provider.pages.accountOf(accessToken)).toBe('shop');
  });

  test('says what is wrong when the provider gives no further access token, and can be signed in to again', async () => {
    const { id } = await connect();
    await pool().query('UPDATE mailbox_tokens SET expires_at = now() WHERE mailbox_id = $1', [id]);
    await setMailboxClient(desk.actor, { provider: 'google', clientId: 'other', clientSecret: 'other', tenantId: null });
    const key = { identityId: desk.identityId, mailboxId: id };
    await readScheduled(key, new AbortController().signal);
    expect(await getMailbox(desk.actor, id)).toMatchObject({
      status: 'failing',
      problem: { code: 'credentials', message: expect.stringContaining('Google refused the client ID or its secret.') },
    });
    await setMailboxClient(desk.actor, { provider: 'google', ...provider.client, tenantId: null });
    const { query, cookie } = await visit(await beginSignInAgain(desk.actor, id));
    expect(await finishSignIn(desk.actor, query, cookie)).toMatchObject({ id, status: 'new', problem: null });
    expect((await listMailboxes(desk.actor)).total).toBe(1);
  });

  test('is tried out before it is stored', async () => {
    provider.pages.person = { sub: 'other', email: 'other@quark.example', email_verified: true };
    await expect(connect()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('refused') });
    provider.pages.person = { sub: 'shop', email: 'shop@quark.example', email_verified: true };
    await expect(connect({ folder: 'Nowhere' })).rejects.toMatchObject({ message: expect.stringContaining('no such folder') });
    expect((await listMailboxes(desk.actor)).total).toBe(0);
    expect(await connect({ sends: false })).toMatchObject({ outgoing: null });
  });

  test('is stored for who began, in that browser, and once', async () => {
    const begun = await visit(await beginSignIn(desk.actor, wanted));
    const [other, { query: foreign }] = [await createTestIdentity(), await visit(await beginSignIn(desk.actor, wanted))];
    const refused = (work: Promise<unknown>) =>
      expect(work).rejects.toMatchObject({ code: 'conflict', message: /^This sign-in was not/ });
    await refused(finishSignIn(desk.actor, begun.query, null));
    await refused(finishSignIn(desk.actor, foreign, begun.cookie));
    await refused(finishSignIn(desk.actor, 'code=x', begun.cookie));
    await refused(finishSignIn(other.actor, begun.query, begun.cookie));
    await refused(finishSignIn({ ...desk.actor, identityId: other.identityId }, begun.query, begun.cookie));
    await finishSignIn(desk.actor, begun.query, begun.cookie);
    await refused(finishSignIn(desk.actor, begun.query, begun.cookie));
  });

  test('that is refused at the provider is not stored', async () => {
    const { url, cookie } = await beginSignIn(desk.actor, wanted);
    const query = new URLSearchParams({ state: new URL(url).searchParams.get('state') ?? '', error: 'access_denied' });
    await expect(finishSignIn(desk.actor, `${query}`, cookieOf(cookie))).rejects.toMatchObject({
      code: 'conflict',
      message: 'Google was not allowed to let Frontdesk into the mailbox.',
    });
    const next = await beginSignIn(desk.actor, wanted);
    const made = new URLSearchParams({ state: new URL(next.url).searchParams.get('state') ?? '', code: 'made up' });
    await expect(finishSignIn(desk.actor, `${made}`, cookieOf(next.cookie))).rejects.toMatchObject({
      message: 'The sign-in took too long, or was used before. Try again.',
    });
    expect((await listMailboxes(desk.actor)).total).toBe(0);
  });

  test('keeps its servers and its user; sending can be turned off and on', async () => {
    const mailbox = await connect();
    const change = (input: object) => updateMailbox(desk.actor, updateMailboxInput.parse({ mailboxId: mailbox.id, ...input }));
    for (const input of [{ host: 'x.example' }, { port: 1 }, { security: 'tls' }, { username: 'x' }, { password: 'x' }]) {
      const [field = ''] = Object.keys(input);
      await expect(change(input)).rejects.toMatchObject({ details: { fields: { [field]: expect.stringContaining('Google') } } });
    }
    for (const [field, wanted] of Object.entries({ host: 'x.example', port: 1, username: 'x' })) {
      const other = change({ outgoing: { host: '127.0.0.1', [field]: wanted } });
      await expect(other).rejects.toMatchObject({
        details: { fields: { [`outgoing.${field}`]: expect.stringMatching(/^must be /) } },
      });
    }
    await expect(change({ outgoing: { host: '127.0.0.1', password: 'x' } })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await change({ outgoing: null })).toMatchObject({ outgoing: null });
    expect(await change({ outgoing: mailbox.outgoing ?? {} })).toMatchObject({ outgoing: mailbox.outgoing });
    expect(await change({ outgoing: null })).toMatchObject({ outgoing: null });
    expect(await change({ outgoing: { host: '127.0.0.1' } })).toMatchObject({ outgoing: mailbox.outgoing });
    expect((await serverOf(await rowOf(mailbox.id))).accessToken).toBeDefined();
  });

  test('keeps its client', async () => {
    const { id } = await connect();
    await expect(deleteMailboxClient(desk.actor, 'google')).rejects.toMatchObject({ code: 'conflict' });
    await deleteMailbox(desk.actor, id);
    await deleteMailboxClient(desk.actor, 'google');
    await expect(beginSignIn(desk.actor, wanted)).rejects.toMatchObject({ message: 'Set the client at Google first.' });
  });

  test('is another one than those with passwords', async () => {
    const input = createMailboxInput.parse({ address: 'a@quark.example', host: '127.0.0.1', port: 1, password: 'x' });
    const { id } = await createMailbox(desk.actor, input);
    await expect(beginSignInAgain(desk.actor, id)).rejects.toMatchObject({ code: 'conflict' });
    const other = await createTestIdentity();
    await expect(beginSignInAgain(other.actor, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
