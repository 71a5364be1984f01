import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { writePost } from '@/server/testing/blog';
import { createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { listAgents, updateAgent } from '../agents/agent.service';
import { createCustomerInput } from '../customers/customer.schema';
import { createCustomer } from '../customers/customer.service';
import { updateIdentity } from '../identity/identity.service';
import { createMailboxInput } from '../mailboxes/mailbox.schema';
import { createMailbox, updateMailbox } from '../mailboxes/mailbox.service';
import { getFirstSteps } from './first-steps.service';
import { type FirstStepName, firstStepNames, firstStepsSchema } from './home.schema';

withFreshDatabase();

const withoutMail = { SMTP_URL: undefined, INBOUND_SMTP_PORT: undefined, INBOUND_SECRET: undefined };

afterEach(() => {
  overrideEnv(withoutMail);
});

const read = async (actor: IdentityActor) => firstStepsSchema.parse(await getFirstSteps(actor));

async function done(actor: IdentityActor): Promise<FirstStepName[]> {
  return (await read(actor)).steps.filter(({ isDone }) => isDone).map(({ name }) => name);
}

test('a new business has done nothing, and learns which settings are missing', async () => {
  const { actor } = await createTestIdentity();
  const { steps, agentId } = await read(actor);
  expect(steps.map(({ name }) => name)).toEqual([...firstStepNames]);
  expect(steps.some(({ isDone }) => isDone)).toBe(false);
  expect(Object.fromEntries(steps.map(({ name, missingSetting }) => [name, missingSetting]))).toMatchObject({
    profile: null,
    // A mailbox needs no setting.
    mailIn: null,
    firstMail: null,
    firstReply: 'SMTP_URL',
  });
  expect(agentId).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([{ INBOUND_SMTP_PORT: 2525 }, { INBOUND_SECRET: 'secret' }])(
  'mail can come in with $0 once there is an address',
  async (way) => {
    overrideEnv(way);
    const { actor } = await createTestIdentity();
    expect((await read(actor)).steps.find(({ name }) => name === 'mailIn')).toEqual({
      name: 'mailIn',
      isDone: false,
      missingSetting: null,
    });
    expect(await done((await createTestDesk()).actor)).toEqual(['mailIn']);
    // Nobody outside can write to it.
    const local = await createTestIdentity({ address: `hello@${randomUUID()}.localhost` });
    expect(await done(local.actor)).toEqual([]);
  },
);

test('mail can come in, and be sent, with a mailbox, without any setting', async () => {
  const { actor } = await createTestIdentity();
  const missing = async () => (await read(actor)).steps.find(({ name }) => name === 'firstReply')?.missingSetting;
  const mailbox = await createMailbox(
    actor,
    createMailboxInput.parse({ address: 'shop@quark.example', host: '127.0.0.1', port: 1, password: 'secret' }),
  );
  expect(await done(actor)).toEqual(['mailIn']);
  expect(await missing()).toBe('SMTP_URL');
  await updateMailbox(actor, { mailboxId: mailbox.id, outgoing: { host: '127.0.0.1', security: 'tls', password: 'secret' } });
  expect(await missing()).toBeNull();
});

test('each step is found out from what was done', async () => {
  const { actor, handle, apiKeyActor } = await createTestIdentity();
  await updateIdentity(actor, { profile: { tagline: 'Bicycles, mended' } }, 'merge');
  expect(await done(actor)).toEqual(['profile']);

  await pool().query('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [apiKeyActor.apiKeyId]);
  await deliver({}, { to: `inbox-manager@${handle}.localhost` });
  expect(await done(actor)).toEqual(['profile', 'firstMail', 'apiCall']);

  const { agents } = await listAgents(actor, { limit: 1, offset: 0 });
  await updateAgent(actor, { agentId: agents[0]?.id ?? '', persona: { bio: 'Knows every bolt.' } });
  await createCustomer(actor, createCustomerInput.parse({ contacts: [{ email: 'ann@quark.example' }] }));
  expect(await done(actor)).toEqual(['profile', 'firstMail', 'agentVoice', 'firstCustomer', 'apiCall']);
});

test('a reply counts once it was sent, and mail of the calendar is none', async () => {
  overrideEnv({ SMTP_URL: 'smtp://mail.example' });
  const { actor, identityId } = await createTestIdentity();
  const put = (kind: string, state: string) =>
    pool().query(
      `INSERT INTO outbox_mails (id, identity_id, kind, state, message_id_header, subject, recipients, mail, sent_at)
        VALUES (gen_random_uuid(), $1, $2, $3::outbox_state, $4, 'Re: Hello', ARRAY['ann@quark.example'], '{}',
          CASE $3 WHEN 'sent' THEN now() END)`,
      [identityId, kind, state, `<${kind}-${state}@here.example>`],
    );
  await put('invitation', 'sent');
  await put('reply', 'queued');
  expect(await read(actor)).toMatchObject({
    steps: expect.arrayContaining([{ name: 'firstReply', isDone: false, missingSetting: null }]),
  });
  await put('reply', 'sent');
  expect(await done(actor)).toEqual(['firstReply']);
});

test('an event is a publication, a draft is none', async () => {
  const { actor } = await createTestIdentity();
  await writePost(actor);
  expect(await done(actor)).toEqual([]);
  await createTestEvent(actor);
  expect(await done(actor)).toEqual(['firstPublication']);
});

test('what another identity did counts for nobody else', async () => {
  const [mine, theirs] = [await createTestIdentity(), await createTestDesk()];
  await updateIdentity(theirs.actor, { profile: { about: 'We mend bicycles.' } }, 'merge');
  await deliver({}, { to: theirs.address });
  await createTestEvent(theirs.actor);
  await createCustomer(theirs.actor, createCustomerInput.parse({ contacts: [{ email: 'ann@quark.example' }] }));
  await pool().query('UPDATE api_keys SET last_used_at = now() WHERE id = $1', [theirs.apiKeyActor.apiKeyId]);
  expect(await done(mine.actor)).toEqual([]);
});
