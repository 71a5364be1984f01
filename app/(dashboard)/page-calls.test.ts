import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rest } from '@/server/registry';
import { type ApiDocument, operationsOf, selectOperations } from './_components/api-drawer/api-document';
import { listFiltersOf } from './_components/api-drawer/list-filters';
import { pageCallsOf } from './_components/api-drawer/page-calls';

const operations = operationsOf(rest.document() as ApiDocument);
const id = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

/** The paths of all pages of the dashboard, with an id where one is required. */
function pagePaths(directory: string, path = ''): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'page.tsx') return [path || '/'];
    if (!entry.isDirectory() || entry.name.startsWith('_')) return [];
    return pagePaths(join(directory, entry.name), `${path}/${entry.name.startsWith('[') ? id : entry.name}`);
  });
}

const paths = pagePaths(import.meta.dirname);

/** Pages for people only, with those below them: API keys can do nothing there. */
const peoplesPages = /^\/(outbox|quarantine|api-keys|audit|settings)(\/|$)/;

function callsOf(path: string): string[] {
  const url = new URL(path, 'http://localhost');
  const calls = pageCallsOf(url.pathname, url.searchParams);
  return calls ? selectOperations(operations, calls.selection).map((operation) => operation.id) : [];
}

it('finds the pages', () => {
  expect(paths).toEqual(expect.arrayContaining(['/', '/customers', `/customers/${id}`, '/posts/new', '/calendar']));
});

describe.each(paths)('the page %s', (path) => {
  it('shows calls that exist, or is known to have none', () => {
    const calls = callsOf(path);
    expect(calls.length > 0 || peoplesPages.test(path)).toBe(true);
    const selection = pageCallsOf(path)?.selection;
    if (selection && 'operations' in selection) expect(calls).toEqual(selection.operations);
  });
});

it('shows every operation there is on some page', () => {
  const shown = new Set([...paths, `/calendar?event=${id}`].flatMap(callsOf));
  expect(operations.map((operation) => operation.id).filter((operation) => !shown.has(operation))).toEqual([]);
});

it('names only parameters, tags and operations that the document has', () => {
  for (const path of paths) {
    const selection = pageCallsOf(path)?.selection;
    if (!selection || 'operations' in selection) continue;
    const ofTag = operations.filter(({ tag }) => tag === selection.tag);
    expect(ofTag.length, path).toBeGreaterThan(0);
    const names = ofTag.flatMap(({ parameters }) => parameters.map(({ name }) => name));
    if (selection.record !== undefined) expect(names).toContain(selection.record);
    for (const besides of selection.besides ?? []) expect(ofTag.map((operation) => operation.id)).toContain(besides);
  }
});

it('tells a list from one of its records, and takes the id from the address', () => {
  expect(callsOf('/customers')).toEqual(['customers-list', 'customers-create', 'customers-byContact']);
  expect(callsOf(`/customers/${id}`)).toContain('customers-addContact');
  expect(pageCallsOf(`/customers/${id}`)?.ids).toEqual({ id });
  expect(callsOf(`/inbox/${id}`)).toEqual(
    expect.arrayContaining(['conversations-reply', 'conversations-thread', 'conversations-attachment']),
  );
  expect(callsOf(`/calendar?event=${id}`)).toContain('calendar-rsvp');
  expect(callsOf('/calendar')).toContain('calendar-availability');
});

it.each([
  ['/customers?q=bike&tag=vip&email=a%40b.example&page=3', { search: 'bike', tag: 'vip', email: 'a@b.example', offset: 50 }],
  ['/agents?q=ann&status=paused', { query: 'ann', status: 'paused' }],
  ['/posts?q=rims&status=draft&tag=brakes', { search: 'rims', status: 'draft', tag: 'brakes' }],
  [`/inbox?view=unread&q=offer&agent=${id}`, { query: 'offer', isRead: false, agentId: id }],
  ['/inbox?assignee=none', { assignee: 'none' }],
  ['/inbox?assignee=me', { assignee: id }],
  [`/calendar?view=day&date=2026-11-24&agent=${id}`, { agentId: id, expand: true }],
])('%s asks the list for what the page shows, by parameters that it has', (path, expected) => {
  const url = new URL(path, 'http://localhost');
  const filters = listFiltersOf(url.pathname, url.searchParams, { locale: 'en-GB', isPhone: false, userId: id });
  for (const [name, input] of Object.entries(filters)) {
    expect(callsOf(url.pathname)).toContain(name);
    const known = operations.find((operation) => operation.id === name)?.parameters.map((parameter) => parameter.name);
    for (const key of Object.keys(input)) expect(known).toContain(key);
    expect(input).toMatchObject(expected);
  }
  expect(Object.keys(filters)).toHaveLength(1);
});
