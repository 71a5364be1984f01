import { expect, test } from 'vitest';
import {
  attemptResult,
  deliveryLabel,
  durationLabel,
  eventsSummary,
  healthOf,
  refreshInterval,
  webhookName,
} from './webhook-labels';
import type { DeliveryRecord } from './webhook-types';

const now = Date.parse('2026-11-25T12:00:00.000Z');

test('health says what works and why not', () => {
  const base = { status: 'active', disabledReason: null, failingSince: null } as const;
  const since = '2026-11-24T10:00:00.000Z';
  expect(healthOf(base)).toMatchObject({ label: 'Active', tone: 'success' });
  expect(healthOf({ ...base, failingSince: since })).toMatchObject({ label: 'Failing', since });
  expect(healthOf({ ...base, status: 'paused', failingSince: since })).toMatchObject({ label: 'Paused', since: null });
  const gone = healthOf({ ...base, status: 'disabled', disabledReason: 'gone' });
  expect(gone.reason).toBe('Disabled because the receiver answered 410 Gone.');
});

test('events are named in words', () => {
  expect(eventsSummary(['*'])).toBe('Everything');
  expect(eventsSummary(['customer.*'])).toBe('All customer events');
  expect(eventsSummary(['customer.created', 'blog.*', 'message.sent'])).toBe('Customer created and 2 more');
});

test('a webhook is called by its description, else its address', () => {
  expect(webhookName({ description: 'Shop', url: 'https://a.example/x' })).toBe('Shop');
  expect(webhookName({ description: ' ', url: 'https://a.example/x' })).toBe('a.example/x');
});

test('deliveries and attempts', () => {
  expect(deliveryLabel({ status: 'pending', attemptCount: 0 }).label).toBe('Pending');
  expect(deliveryLabel({ status: 'pending', attemptCount: 2 }).label).toBe('Retrying');
  expect(attemptResult({ status: 500, error: null })).toBe('HTTP 500');
  expect(attemptResult({ status: null, error: 'connection refused' })).toBe('connection refused');
  expect([durationLabel(0.4), durationLabel(999), durationLabel(15_000)]).toEqual(['0 ms', '999 ms', '15.0 s']);
});

test('deliveries are looked at again soon while one is about to be sent', () => {
  const delivery = (status: DeliveryRecord['status'], nextAttemptAt: string | null) =>
    ({ status, nextAttemptAt }) as DeliveryRecord;
  expect(refreshInterval(undefined, now)).toBe(false);
  expect(refreshInterval([delivery('delivered', null), delivery('failed', null)], now)).toBe(false);
  expect(refreshInterval([delivery('pending', '2026-11-25T12:00:03.000Z')], now)).toBe(1_500);
  expect(refreshInterval([delivery('pending', '2026-11-25T14:00:00.000Z')], now)).toBe(15_000);
});
