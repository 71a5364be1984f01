import { expect, test } from 'vitest';
import type { Home } from '@/server/features/home/home.schema';
import { agentHref, attentionOf, cappedCount, meterTone } from './attention';

const meter = (current: number, limit: number) => ({
  current,
  limit,
  percentage: limit < 0 ? 0 : (current / limit) * 100,
  formatted: '',
});

const agent = (id: string, failures: number) => ({ id, name: id, status: 'active' as const, failures, lastFailedAt: null });

const rest: Home = {
  pulse: { version: '0', calendarVersion: '0', failedMails: 0, quarantined: 0 },
  conversations: { unread: 0, waiting: 0, failed: 0, urgent: [] },
  mails: { failed: 0, quarantined: 0 },
  events: [],
  openAnswers: { count: 4, events: [] },
  usage: { tokenUsage: meter(79, 100), executions: meter(5, -1), plan: 'Free', period: { start: '', end: '' } },
  projection: { tokens: 90, executions: 7 },
  drafts: { count: 3, latest: [] },
  agents: { paused: 1, failing: 0, shown: [agent('paused', 0)] },
};

const kinds = (home: Home) => attentionOf(home).map(({ kind }) => kind);

test('drafts, open answers, paused agents and a plan that lasts need nobody now', () => {
  expect(attentionOf(rest)).toEqual([]);
});

test('everything that needs somebody leads to the list of exactly that', () => {
  const home: Home = {
    ...rest,
    conversations: { unread: 1, waiting: 100, failed: 2, urgent: [] },
    mails: { failed: 3, quarantined: 4 },
    agents: { paused: 0, failing: 2, shown: [agent('a', 2), agent('b', 1)] },
  };
  expect(attentionOf(home).map(({ figure, href }) => [figure, href])).toEqual([
    ['99+', '/inbox?view=waiting'],
    ['1', '/inbox?view=unread'],
    ['2', '/inbox?status=failed'],
    ['3', '/outbox?state=failed'],
    ['2', '/agents'],
    ['4', '/quarantine'],
  ]);
});

test('the only agent that fails is led to at once', () => {
  const home: Home = { ...rest, agents: { paused: 1, failing: 1, shown: [agent('a', 2), agent('p', 0)] } };
  expect(attentionOf(home).map(({ href }) => href)).toEqual(['/agents/a?tab=activity']);
  expect(agentHref(agent('p', 0))).toBe('/agents/p');
});

test('a meter is amber from 80 percent, red beyond the plan, and never without a limit', () => {
  expect([79.9, 80, 100, 100.1].map((used) => meterTone(meter(used, 100)))).toEqual(['within', 'nearly', 'nearly', 'over']);
  expect(meterTone(meter(1e12, -1))).toBe('within');
  const home: Home = { ...rest, usage: { ...rest.usage, tokenUsage: meter(84.9, 100), executions: meter(130, 100) } };
  expect(attentionOf(home)).toMatchObject([
    { kind: 'tokens', figure: '85%', tone: 'warning', href: '/usage' },
    { kind: 'executions', figure: '130%', tone: 'danger' },
  ]);
  expect(kinds({ ...rest, usage: { ...rest.usage, executions: meter(80, 100) } })).toEqual(['executions']);
});

test('counts end at 99', () => {
  expect([0, 99, 100].map(cappedCount)).toEqual(['0', '99', '99+']);
});
