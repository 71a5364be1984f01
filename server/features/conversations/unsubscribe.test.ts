import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { deliver } from '@/server/testing/mail';
import { type Receiver, startReceiver } from '@/server/testing/webhook-receiver';
import { unsubscribe } from './unsubscribe.service';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answerWith(200);
});

const problemOf = (work: Promise<unknown>) => work.catch(({ code, message }) => [code, message]);

const codeOf = (work: Promise<unknown>) => work.catch(({ code }) => code);

/** A desk with a message of a list. */
async function createSubscribed(headers: Record<string, string>) {
  const desk = await createTestDesk();
  const { conversationId, messageId } = await deliver({ headers }, { to: desk.sales });
  const leave = () => unsubscribe(desk.actor, { conversationId, messageId });
  return { ...desk, conversationId, messageId, leave };
}

/** One that is left by a click; certificates being another matter, by http. */
async function createOneClick() {
  const desk = await createSubscribed({
    'List-Unsubscribe': '<https://list.example/u>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
  await pool().query(`UPDATE messages SET unsubscribe = jsonb_set(unsubscribe, '{target}', to_jsonb($2::text)) WHERE id = $1`, [
    desk.messageId,
    `${receiver.url}/u?id=7`,
  ]);
  return desk;
}

const outboxOf = async (identityId: string) =>
  (await pool().query('SELECT kind, subject, recipients, mail FROM outbox_mails WHERE identity_id = $1', [identityId])).rows;

describe('a list is left', () => {
  test('by one click, once', async () => {
    const desk = await createOneClick();
    const events = await eventsOf(desk, async () => {
      expect(await desk.leave()).toMatchObject({ unsubscribe: { method: 'one_click', unsubscribedAt: expect.any(String) } });
      await desk.leave();
    });
    expect(receiver.received).toMatchObject([
      {
        path: '/u?id=7',
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
    ]);
    expect(receiver.received[0]?.headers).not.toHaveProperty('cookie');
    expect(events).toMatchObject([
      { type: 'message.updated', data: { previousAttributes: { unsubscribe: { unsubscribedAt: null } } } },
    ]);
  });

  test('by an email from the address that it came to', async () => {
    const desk = await createSubscribed({
      'List-Unsubscribe': '<mailto:leave%2B7@list.example,other@x.example?subject=Leave%0A7&body=Please%00&cc=ann@x.example>',
    });
    await Promise.all([desk.leave(), desk.leave()]);
    expect(await outboxOf(desk.identityId)).toMatchObject([
      {
        kind: 'unsubscribe',
        subject: 'Leave 7',
        recipients: ['leave+7@list.example'],
        mail: { from: { email: desk.sales }, cc: [], text: 'Please' },
      },
    ]);
  });

  test('by hand on its page', async () => {
    const desk = await createSubscribed({ 'List-Unsubscribe': '<https://list.example/u>' });
    expect(await problemOf(desk.leave())).toEqual(['conflict', 'This list is left on a page of its own: https://list.example/u']);
  });
});

describe('a list is not left', () => {
  test.each([
    [500, 'The list’s server did not accept it: it answered with status 500.'],
    [404, 'The list’s server did not accept it: it answered with status 404.'],
  ])('if its server answers with %d', async (status, reason) => {
    const desk = await createOneClick();
    receiver.answerWith(status);
    expect(await problemOf(desk.leave())).toEqual(['conflict', reason]);
    receiver.answerWith(200);
    expect(await desk.leave()).toMatchObject({ unsubscribe: { unsubscribedAt: expect.any(String) } });
  });

  test('if its server breaks off, or is one of ours', async () => {
    const desk = await createOneClick();
    receiver.answerWith((request) => request.socket.destroy());
    expect(await problemOf(desk.leave())).toEqual(['conflict', expect.stringMatching(/^127\.0\.0\.1 closed the connection/)]);
    await pool().query(
      `UPDATE messages SET unsubscribe = '{"method": "one_click", "target": "http://10.0.0.1/"}' WHERE id = $1`,
      [desk.messageId],
    );
    expect(await problemOf(desk.leave())).toEqual(['conflict', expect.any(String)]);
    expect(receiver.received).toHaveLength(1);
  });

  test('by a message of none, by other businesses, or through another conversation', async () => {
    const desk = await createSubscribed({});
    expect(await problemOf(desk.leave())).toEqual(['conflict', 'This message does not say how to unsubscribe.']);
    const other = await createOneClick();
    const { conversationId, messageId } = other;
    expect(await codeOf(unsubscribe(desk.actor, { conversationId, messageId }))).toBe('not_found');
    const { conversationId: further } = await deliver({}, { to: other.address });
    expect(await codeOf(unsubscribe(other.actor, { conversationId: further, messageId }))).toBe('not_found');
    expect(receiver.received).toEqual([]);
  });
});
