import { describe, expect, it } from 'vitest';
import { type AuditChange, type AuditEntry, auditActions, auditedResources } from '@/server/features/audit/audit.schema';
import { authorName, fieldName, keptLabel } from './audit-labels';
import { needsColon, sentenceOf, subjectOf } from './audit-sentence';

const change = (field: string, before: AuditChange['before'], after: AuditChange['after']) => ({ field, before, after });

const entry = (given: Partial<AuditEntry>): AuditEntry => ({
  id: '1',
  occurredAt: '2026-11-21T10:00:00.000Z',
  author: { kind: 'owner', id: null, name: 'ann@quark.example' },
  agent: null,
  requestId: null,
  clientRequestId: null,
  resource: 'customer',
  resourceId: 'c1',
  parentId: null,
  label: 'Quark Labs',
  action: 'updated',
  changes: [],
  ...given,
});

function told(given: Partial<AuditEntry>): string {
  const sentence = sentenceOf(entry(given));
  const { lead, name, what } = sentence;
  return [lead, name].filter(Boolean).join(' ') + (needsColon(sentence) ? `: ${what}` : what && ` ${what}`);
}

describe('a change in a sentence', () => {
  it('names the fields that changed, and counts them where they are many', () => {
    const changes = [change('company', 'Quark', 'Quark Labs'), change('tags', [], ['vip'])];
    expect(told({ changes })).toBe('Customer Quark Labs: company and tags changed');
    const many = ['company', 'phone', 'tags', 'notes', 'metadata'].map((field) => change(field, 'a', 'b'));
    expect(told({ changes: many })).toBe('Customer Quark Labs: company, phone, tags and 2 more changed');
  });

  it('has a word of its own for what has one', () => {
    expect(
      told({ resource: 'api_key', label: 'Importer', changes: [change('revokedAt', null, '2026-11-21T10:00:00+00:00')] }),
    ).toBe('API key Importer revoked');
    const conversation = (...changes: AuditChange[]) => told({ resource: 'conversation', label: 'Hours', changes });
    expect(conversation(change('isRead', false, true))).toBe('Conversation Hours marked as read');
    expect(conversation(change('isArchived', false, true), change('isRead', false, true))).toBe(
      'Conversation Hours archived and marked as read',
    );
    expect(told({ resource: 'contact', label: 'a@x.io', changes: [change('customerId', 'c1', null)] })).toBe(
      'Contact a@x.io removed from a customer',
    );
  });

  it('leaves out what always changes along', () => {
    const published = [change('publishedAt', null, '2026-11-21T10:00:00+00:00'), change('status', 'draft', 'published')];
    expect(told({ resource: 'post', label: 'Rims', changes: published })).toBe('Post Rims published');
    expect(told({ resource: 'post', label: 'Rims', changes: published.slice(0, 1) })).toBe('Post Rims: publication date changed');
  });

  it('tells sign-ins by their browser, and mail by where it came from', () => {
    const label = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';
    expect(told({ resource: 'session', label, action: 'created' })).toBe('Signed in from Firefox on Linux');
    expect(told({ resource: 'session', label, action: 'deleted' })).toBe('Session Firefox on Linux ended');
    const inbound = [change('direction', null, 'inbound'), change('fromEmail', null, 'bob@x.io')];
    expect(told({ resource: 'message', label: 'Hi', action: 'created', changes: inbound })).toBe(
      'Message Hi received from bob@x.io',
    );
    expect(told({ resource: 'message', label: 'Hi', action: 'created', changes: [change('direction', null, 'outbound')] })).toBe(
      'Message Hi written',
    );
  });

  it('says something of every kind and action, even without a name or a known field', () => {
    for (const resource of auditedResources) {
      for (const action of auditActions) {
        const words = told({ resource, action, label: ' ', changes: [change('somethingNew', 1, 2)] });
        expect(words).toMatch(/^[A-Z]/);
        expect(words).not.toMatch(/undefined|null|\s{2}|\s$|_/);
      }
    }
    expect(subjectOf(entry({ label: '' }))).toBe('Customer (unnamed)');
  });
});

it('names whoever made a change', () => {
  const kinds = ['owner', 'key', 'system', 'database'] as const;
  expect(kinds.map((kind) => authorName({ kind, id: null, name: null }))).toEqual([
    'A former member',
    'A deleted API key',
    'System · automatic',
    'Direct database change',
  ]);
  expect(authorName({ kind: 'system', id: null, name: 'mail' })).toBe('System · email received');
});

it('names fields in words', () => {
  expect(['displayName', 'last4', 'content', 'passwordHash'].map(fieldName)).toEqual([
    'display name',
    'last four characters',
    'content',
    'password',
  ]);
});

it('says how long changes are kept', () => {
  expect([365, 1, 36_500, 0].map((days) => keptLabel(days, 'en'))).toEqual([
    'Kept for 365 days.',
    'Kept for 1 day.',
    'Kept for 36,500 days.',
    'Kept indefinitely.',
  ]);
});
