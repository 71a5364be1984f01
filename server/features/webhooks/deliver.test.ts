import { createServer } from 'node:https';
import type { AddressInfo, LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { testCertificates } from '@/server/testing/certificates';
import { withFreshDatabase } from '@/server/testing/database';
import { createsCustomer, deliveringTo, jobOf, makeDue } from '@/server/testing/deliveries';
import { committedEvents } from '@/server/testing/events';
import { within } from '@/server/testing/patience';
import { addWebhook, type Receiver, startReceiver } from '@/server/testing/webhook-receiver';
import { deliver } from './deliver';
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from './delivery.service';
import { listDeliveriesInput } from './webhook.schema';
import { deleteWebhook, getWebhook, rotateSecret, updateWebhook } from './webhook.service';

/** Attempts, made by calling what the job calls. */

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answerWith(204);
});

describe('a delivery', () => {
  test('is the event, signed so that an independent implementation accepts it', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    expect(delivery).toMatchObject({
      status: 'pending',
      attemptCount: 0,
      eventType: 'customer.created',
      isTest: false,
      error: null,
    });
    await all.attempt(delivery);
    const [request] = receiver.received;
    const [event] = await committedEvents(all.actor);
    const verified = new Webhook(all.webhook.secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
    expect(verified).toEqual({
      type: 'customer.created',
      timestamp: JSON.parse(request?.body ?? '').data.createdAt,
      data: expect.objectContaining({ id: event?.id, data: event?.data }),
    });
    expect(request?.headers).toMatchObject({
      'webhook-id': event?.id,
      'content-type': 'application/json',
      'user-agent': 'Frontdesk',
    });
    expect(await all.read(delivery)).toMatchObject({
      ...{ status: 'delivered', attemptCount: 1, nextAttemptAt: null, error: null, event: { id: event?.id } },
      attempts: [{ status: 204, answer: '', error: null }],
    });
    expect(await getWebhook(all.actor, all.webhook.id)).toMatchObject({ failingSince: null, updatedAt: all.webhook.updatedAt });
  });

  test('is signed by both secrets for a day after a rotation', async () => {
    const all = await deliveringTo(receiver);
    const first = await createsCustomer(all);
    const { secret } = await rotateSecret(all.actor, all.webhook.id);
    await all.attempt(first);
    const [during] = receiver.received;
    for (const each of [secret, all.webhook.secret]) {
      expect(new Webhook(each).verify(during?.body ?? '', during?.headers as Record<string, string>)).toBeTruthy();
    }
    await pool().query('UPDATE webhooks SET old_secret_until = now() WHERE id = $1', [all.webhook.id]);
    await replayDelivery(all.actor, all.webhook.id, first.id);
    await all.attempt(first);
    const after = receiver.received[1];
    const headers = after?.headers as Record<string, string>;
    expect(after?.headers['webhook-id']).toBe(during?.headers['webhook-id']);
    expect(new Webhook(secret).verify(after?.body ?? '', headers)).toBeTruthy();
    expect(() => new Webhook(all.webhook.secret).verify(after?.body ?? '', headers)).toThrow('No matching signature');
  });

  test('that fails is tried again by a job, and delivered in the end', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    const first = await jobOf(delivery);
    receiver.answerWith(
      (_request, response) => void response.writeHead(500).end(`a\u0000b\u001b[31m\n\u202e${'ü'.repeat(3_000)}`),
    );
    await all.attempt(delivery);
    const failed = await all.read(delivery);
    expect(failed).toMatchObject({ status: 'pending', attemptCount: 1, error: 'It answered with status 500.' });
    expect(failed.attempts).toMatchObject([{ status: 500, error: 'It answered with status 500.' }]);
    expect(failed.attempts[0]?.answer).toMatch(/^ab\[31m\nü+/);
    expect(Buffer.byteLength(failed.attempts[0]?.answer ?? '')).toBeLessThanOrEqual(2_050);
    const retry = await jobOf(delivery);
    expect([first?.lane, retry?.lane, retry?.destination]).toEqual(['outbound', 'failing', all.webhook.id]);
    expect(retry?.seconds).toBeGreaterThan(2);
    expect(retry?.seconds).toBeLessThanOrEqual(6);
    expect((await getWebhook(all.actor, all.webhook.id)).failingSince).not.toBeNull();
    // Too early: nothing is sent.
    await all.attempt(delivery);
    expect(receiver.received).toHaveLength(1);
    receiver.answerWith(200);
    await makeDue(delivery);
    await all.attempt(delivery);
    expect(await all.read(delivery)).toMatchObject({ status: 'delivered', attemptCount: 2, error: null });
    expect((await getWebhook(all.actor, all.webhook.id)).failingSince).toBeNull();
    // Whatever runs a job again, nothing happens.
    await all.attempt(delivery);
    expect(receiver.received).toHaveLength(2);
  });

  test('fails after ten attempts', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    receiver.answerWith(404);
    for (let attempt = 1; attempt <= 11; attempt++) {
      await makeDue(delivery);
      await all.attempt(delivery);
    }
    const after = await all.read(delivery);
    expect(after).toMatchObject({ status: 'failed', attemptCount: 10, nextAttemptAt: null });
    expect(after.attempts).toHaveLength(10);
    expect(receiver.received).toHaveLength(10);
  });

  test('waits as long as a busy receiver asks', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    receiver.answerWith((_request, response) => void response.writeHead(429, { 'retry-after': '3600' }).end());
    await all.attempt(delivery);
    expect((await jobOf(delivery))?.seconds).toBeGreaterThan(3_590);
  });

  test('that a kill has interrupted between sending and recording is sent again, and its attempts are right', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    // As if the process died: sent, and nothing recorded.
    const dying = new Error('killed');
    const stopped = new AbortController();
    receiver.answerWith(() => stopped.abort(dying));
    const key = { identityId: all.actor.identityId, deliveryId: delivery.id };
    await expect(deliver(key, { signal: stopped.signal })).rejects.toBe(dying);
    expect(await all.read(delivery)).toMatchObject({ status: 'pending', attemptCount: 0, attempts: [] });
    receiver.answerWith(500);
    // Twice at the same moment, as if its queue's lock was lost.
    await Promise.all([deliver(key), deliver(key)]);
    const after = await all.read(delivery);
    expect(after).toMatchObject({ status: 'pending', attemptCount: 1 });
    expect(after.attempts.length).toBe(receiver.received.length - 1);
    expect(await jobOf(delivery)).toBeDefined();
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  test('of a paused webhook waits, of a disabled one fails, and of a deleted one ends', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    await updateWebhook(all.actor, { webhookId: all.webhook.id, status: 'paused' });
    await all.attempt(delivery);
    expect(await all.read(delivery)).toMatchObject({ status: 'pending', attempts: [] });
    await pool().query(`UPDATE webhooks SET status = 'disabled' WHERE id = $1`, [all.webhook.id]);
    await all.attempt(delivery);
    expect(await all.read(delivery)).toMatchObject({ status: 'failed', error: 'The webhook is disabled.', attempts: [] });
    await expect(replayDelivery(all.actor, all.webhook.id, delivery.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(testWebhook(all.actor, all.webhook.id, 'customer.created')).rejects.toMatchObject({ code: 'conflict' });
    await deleteWebhook(all.actor, all.webhook.id);
    await all.attempt(delivery);
    expect(receiver.received).toEqual([]);
  });

  test('of an event that is no longer kept fails', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    await pool().query('DELETE FROM event_log WHERE identity_id = $1', [all.actor.identityId]);
    await all.attempt(delivery);
    expect(await all.read(delivery)).toMatchObject({ status: 'failed', error: 'The event is no longer kept.', event: null });
  });

  test('that can’t be signed any more says why', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    overrideEnv({ AUTH_SECRET: 'y'.repeat(32) });
    await all.attempt(delivery);
    overrideEnv({ AUTH_SECRET: 'x'.repeat(32) });
    expect((await all.read(delivery)).error).toMatch(/^It can’t be signed: AUTH_SECRET has changed/);
    expect(receiver.received).toEqual([]);
  });

  test('of a test is an example of its type, whether it is subscribed to or not', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await testWebhook(all.actor, all.webhook.id, 'webhook.disabled');
    expect(delivery).toMatchObject({ isTest: true, eventType: 'webhook.disabled', status: 'pending' });
    await all.attempt(delivery);
    const { body, headers } = receiver.received[0] ?? { body: '', headers: {} };
    expect(new Webhook(all.webhook.secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'webhook.disabled',
      data: { id: delivery.eventId, object: { type: 'webhook' } },
    });
    await expect(testWebhook(all.actor, all.webhook.id, 'x.y')).rejects.toMatchObject({
      details: { fields: { type: expect.any(String) } },
    });
  });
});

describe('an answer', () => {
  test('whose body never ends is one all the same, and holds nothing up', async () => {
    const all = await deliveringTo(receiver);
    receiver.answerWith((_request, response) => void response.writeHead(200).write('thanks'));
    const delivery = await createsCustomer(all);
    await all.attempt(delivery);
    const { status, attempts } = await all.read(delivery);
    expect([status, attempts[0]?.answer]).toEqual(['delivered', 'thanks']);
    expect(attempts[0]?.durationMs).toBeLessThan(10_000);
  });

  test('with a redirect is a failure, and not followed', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    receiver.answerWith((_request, response) => void response.writeHead(307, { location: '/other' }).end());
    await all.attempt(delivery);
    expect((await all.read(delivery)).error).toBe('It answered with a redirect (307), which is not followed.');
    expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
  });

  test('of a gigabyte is a success of which the beginning is kept', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    let sent = 0;
    receiver.answerWith((_request, response) => {
      const more = () => {
        while (sent < 2 ** 30 && !response.destroyed && response.write(Buffer.alloc(65_536, 'x'))) sent += 65_536;
      };
      response.on('drain', more).writeHead(200);
      more();
    });
    await all.attempt(delivery);
    const { status, attempts } = await all.read(delivery);
    expect([status, attempts[0]?.answer]).toEqual(['delivered', 'x'.repeat(2_048)]);
    expect(sent).toBeLessThan(2 ** 26);
  });

  test('of 410 disables the webhook', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    const other = await addWebhook(all.actor, receiver.url, ['webhook.*']);
    receiver.answerWith(410);
    await all.attempt(delivery);
    expect(await all.read(delivery)).toMatchObject({ status: 'failed', error: 'It answered that it is gone (410).' });
    expect(await getWebhook(all.actor, all.webhook.id)).toMatchObject({ status: 'disabled', disabledReason: 'gone' });
    const [told] = (await listDeliveries(all.actor, listDeliveriesInput.parse({ webhookId: other.id }))).deliveries;
    expect(await getDelivery(all.actor, other.id, told?.id ?? '')).toMatchObject({
      event: {
        type: 'webhook.disabled',
        object: { id: all.webhook.id },
        data: { object: { status: 'disabled', disabledReason: 'gone' } },
      },
    });
    expect(JSON.stringify(await committedEvents(all.actor))).not.toContain('secret');
  });

  test('that never comes is given up after 15 seconds', async () => {
    const all = await deliveringTo(receiver);
    const delivery = await createsCustomer(all);
    receiver.answerWith(() => undefined);
    await all.attempt(delivery);
    const { error, attempts } = await all.read(delivery);
    expect(error).toBe('127.0.0.1 does not answer in time.');
    expect(attempts[0]?.durationMs).toBeGreaterThan(14_900);
    expect(attempts[0]?.durationMs).toBeLessThan(15_000 + within(0.6));
  });
});

describe('an address', () => {
  test.each([
    ['http://127.0.0.1:1/', '127.0.0.1 refuses connections.'],
    ['http://no-such-name.example/', 'no-such-name.example has no address.'],
  ])('%s: %s', async (url, error) => {
    const all = await deliveringTo({ url });
    const delivery = await createsCustomer(all);
    await all.attempt(delivery);
    expect((await all.read(delivery)).error).toBe(error);
  });

  test('with a certificate that nobody vouches for is not trusted', async () => {
    const server = createServer(testCertificates.first, (_request, response) => void response.end());
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const all = await deliveringTo({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    const delivery = await createsCustomer(all);
    await all.attempt(delivery);
    server.close();
    expect((await all.read(delivery)).error).toBe('127.0.0.1 has a self-signed certificate.');
  });

  test.each(['10.0.0.1', '169.254.169.254', '127.0.0.2', '::1', 'fe80::1', '::ffff:127.0.0.2', 'fd00:ec2::254'])(
    'that leads to %s by now is refused at each attempt',
    async (address) => {
      const all = await deliveringTo({ url: 'http://rebinds.example/' });
      const delivery = await createsCustomer(all);
      const answers = ['127.0.0.1', address];
      const lookup: LookupFunction = (_name, _options, callback) => {
        const next = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
        callback(null, [{ address: next, family: next.includes(':') ? 6 : 4 }]);
      };
      await pool().query('UPDATE webhooks SET url = $2 WHERE id = $1', [
        all.webhook.id,
        receiver.url.replace('127.0.0.1', 'rebinds.example'),
      ]);
      receiver.answerWith(500);
      for (const _ of [1, 2, 3]) {
        await makeDue(delivery);
        await all.attempt(delivery, lookup);
      }
      expect(receiver.received).toHaveLength(1);
      expect((await all.read(delivery)).error).toBe('rebinds.example is not an address of the public internet.');
    },
  );
});
