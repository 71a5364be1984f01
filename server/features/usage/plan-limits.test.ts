import { expect, test } from 'vitest';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { monthlyLimitsOf, quotasOf } from './plan-limits';
import { getUsageStats } from './usage.service';

withFreshDatabase({
  PLAN_LIMITS: '{"free": {"tokens": 5, "mailsPerDay": 3}, "enterprise": {"executions": 7, "storageBytes": 9}}',
});

test('the operator’s limits stand in for the product’s, one by one', async () => {
  expect(monthlyLimitsOf('free')).toEqual({ tokens: 5, executions: 100 });
  expect(monthlyLimitsOf('enterprise')).toEqual({ tokens: -1, executions: 7 });
  expect(quotasOf('free')).toEqual({
    mailsPerDay: 3,
    recipientsPerDay: 500,
    storageBytes: 1_000_000_000,
    senderBytesPerDay: 100_000_000,
  });
  expect(quotasOf('enterprise')).toEqual({
    mailsPerDay: -1,
    recipientsPerDay: -1,
    storageBytes: 9,
    senderBytesPerDay: 10_000_000_000,
  });
  const { actor } = await createTestIdentity({ plan: 'free' });
  expect((await getUsageStats(actor)).tokenUsage).toMatchObject({ limit: 5, formatted: '0 / 5' });
  overrideEnv({ PLAN_LIMITS: undefined });
  expect(monthlyLimitsOf('free')).toEqual({ tokens: 100_000, executions: 100 });
});
