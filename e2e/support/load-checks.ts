import { expect } from '@playwright/test';
import { within } from '@/server/testing/patience';
import type { OutsideMailServer } from './outside-mail-server';
import { queryDatabase } from './own-installation';
import type { Kind, Target, Write } from './writers';

/** Checks what a load has stored once it is over, through the API and, if that is not enough, in the database. */

const pageSize = 100;

async function listed(target: Target, path: string, field: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  for (let offset = 0; ; offset += pageSize) {
    const url = `${target.baseUrl}/api/v1${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}&offset=${offset}`;
    const response = await fetch(url, { headers: { Authorization: `Bearer ${target.desk.key}` } });
    expect(response.status, url).toBe(200);
    const page = ((await response.json()) as Record<string, Record<string, unknown>[]>)[field] ?? [];
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

const sorted = (values: unknown[]) => values.map(String).sort();
const ofKind = (writes: readonly Write[], ...kinds: Kind[]) => writes.filter(({ kind }) => kinds.includes(kind));
const names = (writes: readonly Write[], before: string) => sorted(writes.map(({ name }) => `${before} ${name}`));

/** Fails unless each of these writes is stored once, and nothing else of their kind. */
export async function expectStoredOnce(target: Target, writes: readonly Write[], databaseUrl: string): Promise<void> {
  const customers = await listed(target, '/identity/customers?query=Load', 'customers');
  expect(sorted(customers.map(({ company }) => company))).toEqual(names(ofKind(writes, 'customer'), 'Load'));
  const conversations = await listed(target, '/conversations?search=Mail', 'conversations');
  const mails = names(ofKind(writes, 'mail by HTTP', 'mail by SMTP'), 'Mail');
  expect(sorted(conversations.map(({ subject }) => subject))).toEqual(mails);
  const events = await queryDatabase<{ title: string }>(
    databaseUrl,
    `SELECT title FROM calendar_events WHERE title LIKE 'Load %'`,
  );
  expect(sorted(events.map(({ title }) => title))).toEqual(names(ofKind(writes, 'event'), 'Load'));
  const replies = await queryDatabase<{ text: string }>(
    databaseUrl,
    `SELECT (regexp_match(text, 'Answer [0-9a-f-]+'))[1] AS text
    FROM messages WHERE direction = 'outbound' AND text LIKE 'Answer %'`,
  );
  expect(sorted(replies.map(({ text }) => text))).toEqual(names(ofKind(writes, 'reply'), 'Answer'));
  const response = await fetch(`${target.baseUrl}/api/v1/usage/stats`, {
    headers: { Authorization: `Bearer ${target.desk.key}` },
  });
  const { tokenUsage } = (await response.json()) as { tokenUsage: { current: number } };
  expect(tokenUsage.current).toBe(3 * ofKind(writes, 'usage').length);
}

/** Fails unless the mails of these writes were delivered: each once, or repeated with the same id. */
export async function expectMailed(outside: OutsideMailServer, writes: readonly Write[]): Promise<void> {
  const ids = new Map<string, Set<string>>();
  const marks = [
    ...ofKind(writes, 'reply').map(({ name }) => `Answer ${name}`),
    ...ofKind(writes, 'event').map(({ name }) => `${name}@guest.example`),
  ];
  const seen = () => {
    for (const { raw, recipients } of outside.accepted) {
      const mark = /Answer [0-9a-f-]{36}/.exec(raw)?.[0] ?? recipients.find((recipient) => recipient.endsWith('@guest.example'));
      const id = /^Message-ID: *(\S+)/im.exec(raw)?.[1] ?? '';
      if (mark) ids.set(mark, (ids.get(mark) ?? new Set()).add(id));
    }
    return ids;
  };
  await expect.poll(() => sorted([...seen().keys()]), { timeout: within(15) }).toEqual(sorted(marks));
  expect([...seen()].filter(([, set]) => set.size !== 1)).toEqual([]);
}

/** Fails unless every due job is completed, and nothing is left in the outbox. */
export async function expectNothingLeft(databaseUrl: string): Promise<void> {
  const left = async () => {
    const [row] = await queryDatabase<{ jobs: number; mails: number }>(
      databaseUrl,
      `SELECT (SELECT count(*)::int FROM jobs WHERE due_at <= now()) AS jobs,
        (SELECT count(*)::int FROM outbox_mails WHERE state IN ('queued', 'sending', 'failed') AND due_at <= now()) AS mails`,
    );
    return row;
  };
  await expect.poll(left, { timeout: within(15) }).toEqual({ jobs: 0, mails: 0 });
}
