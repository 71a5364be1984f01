import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../src/index.js';

/** Requests are signed by the reference implementation of Standard Webhooks. */

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const event = { id: 'e', type: 'customer.created', data: { object: { company: 'Quark Läbs' } } };
const text = JSON.stringify({ type: event.type, timestamp: '2026-11-25T12:00:00.000Z', data: event });

function signed(body = text, at = new Date(), by = secret): Record<string, string> {
  return {
    'webhook-id': 'e',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign('e', at, body),
  };
}

const reasonOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

describe('a genuine request', () => {
  test('gives its event', async () => {
    expect(await verifyWebhook(text, signed(), secret)).toEqual(event);
  });

  test('may come as bytes, with Headers, with names in any case, and with a secret without its prefix', async () => {
    const bytes = new TextEncoder().encode(text);
    const headers = Object.fromEntries(Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]));
    expect(await verifyWebhook(bytes, new Headers(signed()), secret)).toEqual(event);
    expect(await verifyWebhook(bytes, headers, secret.slice(6))).toEqual(event);
  });

  test('may have a signature by another secret beside that by yours', async () => {
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    const headers = signed();
    const both = `v2,x v1,!!! ${signed(text, new Date(), other)['webhook-signature']} ${headers['webhook-signature']}`;
    expect(await verifyWebhook(text, { ...headers, 'webhook-signature': both }, secret)).toEqual(event);
    expect(await verifyWebhook(text, { ...headers, 'webhook-signature': both }, other)).toEqual(event);
  });

  test('is accepted as the reference implementation accepts it, whatever its body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.boolean(), async (json, isChanged) => {
        const body = `{"data":${json}}`;
        const headers = signed(body);
        const received = isChanged ? `${body} ` : body;
        const verdict = await reasonOf(verifyWebhook(received, headers, secret));
        expect(verdict).toBe(isChanged ? 'no_matching_signature' : 'accepted');
        if (isChanged) expect(() => new Webhook(secret).verify(received, headers)).toThrow();
        else expect(new Webhook(secret).verify(received, headers)).toEqual(JSON.parse(body));
      }),
    );
  });
});

describe('a request is refused', () => {
  const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);

  test.each([
    ['without an id', { 'webhook-id': undefined }, 'missing_header'],
    ['with an empty signature', { 'webhook-signature': '' }, 'missing_header'],
    ['with a repeated header', { 'webhook-id': ['e', 'f'] }, 'missing_header'],
    ['with another id', { 'webhook-id': 'f' }, 'no_matching_signature'],
    ['with another signature', { 'webhook-signature': 'v1,AAAA' }, 'no_matching_signature'],
    [
      'with a signature of another version',
      { 'webhook-signature': signed()['webhook-signature']?.replace('v1', 'v2') },
      'no_matching_signature',
    ],
    ['without a time', { 'webhook-timestamp': 'now' }, 'invalid_timestamp'],
  ])('%s', async (_what, headers, reason) => {
    expect(await reasonOf(verifyWebhook(text, { ...signed(), ...headers }, secret))).toBe(reason);
  });

  test('outside the tolerance, which is five minutes', async () => {
    expect(await reasonOf(verifyWebhook(text, signed(text, at(-290)), secret))).toBe('accepted');
    expect(await reasonOf(verifyWebhook(text, signed(text, at(-310)), secret))).toBe('too_old');
    expect(await reasonOf(verifyWebhook(text, signed(text, at(310)), secret))).toBe('too_new');
    expect(await reasonOf(verifyWebhook(text, signed(text, at(-310)), secret, { tolerance: 600 }))).toBe('accepted');
    expect(await reasonOf(verifyWebhook(text, signed(), secret, { now: at(400).getTime() }))).toBe('too_old');
  });

  test('with a secret that is none, or a body that is no JSON', async () => {
    expect(await reasonOf(verifyWebhook(text, signed(), 'whsec_'))).toBe('invalid_secret');
    expect(await reasonOf(verifyWebhook(text, signed(), '!!!'))).toBe('invalid_secret');
    expect(await reasonOf(verifyWebhook('x', signed('x'), secret))).toBe('invalid_body');
  });
});
