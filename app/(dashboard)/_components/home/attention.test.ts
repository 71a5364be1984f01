import { expect, test } from 'vitest';
import type { Home } from '@/server/features/home/home.schema';
import { agentHref, attentionOf, cappedCount, meterTone } from './attention';

const meter = (current: number, limit: number) => ({
  current,
  limit,
  percentage: limit < 0 ? 0 : (current / limit) * 100,
  formatted: '',
});

const agent = (id: string, failures: number) => ({
  ...{ id, name: id, status: 'active' as const, failures },
  ...{ lastFailedAt: null, hasNoMail: false },
});

const rest: Home = {
  pulse: { version: '0', calendarVersion: '0', failedMails: 0, quarantined: 0 },
  conversations: { waiting: 0, failed: 0, open: 0, urgent: [] },
  mails: { failed: 0, quarantined: 0 },
  events: [],
  openAnswers: { count: 4, events: [] },
  usage: { tokenUsage: meter(79, 100), executions: meter(5, -1), plan: 'Free', period: { start: '', end: '' } },
  projection: { tokens: 90, executions: 7 },
  drafts: { count: 3, latest: [] },
  agents: { paused: 1, failing: 0, withoutMail: 0, shown: [agent('paused', 0)] },
};

const kinds = (home: Home) => attentionOf(home).map(({ kind }) => kind);

test('drafts, open answers, paused agents and a plan that lasts need nobody now', () => {
  expect(attentionOf(rest)).toEqual([]);
});

test('everything that the page does not list leads to the list of exactly that', () => {
  const home: Home = {
    ...rest,
    conversations: { waiting: 100, failed: 2, open: 1, urgent: [] },
    mails: { failed: 3, quarantined: 4 },
    agents: { paused: 0, failing: 3, withoutMail: 5, shown: [agent('a', 2), agent('b', 1)] },
  };
  expect(attentionOf(home).map(({ figure, href }) => [figure, href])).toEqual([
    ['99+', '/inbox?view=waiting'],
    ['1', '/inbox?status=pending'],
    ['2', '/inbox?status=failed'],
    ['3', '/outbox?state=failed'],
    ['3', '/agents'],
    ['5', '/identity#agent-addresses'],
    ['4', '/quarantine'],
  ]);
});

test('what the page lists is not counted again, and what is more than that is counted whole', () => {
  const urgent = (['failed', 'failed', 'waiting_human', 'pending'] as const).map((status, index) => ({
    ...{ id: String(index), subject: 'A', status, isRead: true, lastMessageAt: '' },
    counterpart: { email: 'ann@quark.example', displayName: null },
  }));
  const agents = { paused: 0, failing: 1, withoutMail: 1, shown: [{ ...agent('a', 2), hasNoMail: true }] };
  const home: Home = { ...rest, agents, conversations: { waiting: 1, failed: 2, open: 1, urgent } };
  expect(attentionOf(home)).toEqual([]);
  const more: Home = { ...home, conversations: { waiting: 2, failed: 3, open: 1, urgent } };
  expect(attentionOf(more).map(({ kind, figure }) => [kind, figure])).toEqual([
    ['waiting', '2'],
    ['failed', '3'],
  ]);
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
