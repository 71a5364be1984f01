import { describe, expect, it } from 'vitest';
import { draftOf, readFormDraft, restoredPart } from './form-draft';

const base = { company: 'Quark', phone: '1', tags: ['vip'], meeting: { url: '', password: 'stored' } };
const parts = ['company', 'phone', 'tags', 'meeting'] as const;
const now = new Date('2026-11-23T10:00:00Z');
const draft = (typed: object, earlier: Parameters<typeof draftOf>[1] = null) =>
  draftOf({ parts, base, typed: { ...base, ...typed }, version: 1, secrets: ['meeting.password'] }, earlier, now);

describe('what is kept of a form', () => {
  it('is what differs from the record, with what the record had', () => {
    expect(draft({ company: 'Quark Labs' })).toEqual({
      version: 1,
      base: { company: 'Quark' },
      typed: { company: 'Quark Labs' },
      at: now.toISOString(),
    });
    expect(draft({})).toBeNull();
  });

  it('is never a secret, and the secret on the page stays when the rest comes back', () => {
    expect(draft({ meeting: { url: '', password: 'typed' } })).toBeNull();
    const kept = draft({ meeting: { url: 'https://meet.example', password: 'typed' } });
    expect(JSON.stringify(kept)).not.toMatch(/typed"?$|"password":"(stored|typed)/);
    if (!kept) throw new Error('Nothing was kept.');
    expect(restoredPart('meeting', kept, base, ['meeting.password'])).toEqual({
      url: 'https://meet.example',
      password: 'stored',
    });
  });

  it('adds to what was offered and not answered', () => {
    const earlier = draft({ company: 'Quark Labs' });
    expect(draft({ phone: '2' }, earlier)?.typed).toEqual({ company: 'Quark Labs', phone: '2' });
    expect(draft({}, earlier)).toBe(earlier);
  });
});

describe('a stored entry', () => {
  const stored = draft({ company: 'Quark Labs', tags: ['vip', 'eu'] });

  it('is read as it was kept', () => expect(readFormDraft(stored, parts, base)).toEqual(stored));

  it('has no version that is known, if it was kept before records had a revision', () => {
    expect(readFormDraft({ ...stored, version: '2026-11-20T16:05:12.345Z' }, parts, base)).toEqual({ ...stored, version: 0 });
  });

  it('is nothing where the record says the same by now, or it is no draft', () => {
    expect(readFormDraft(stored, parts, { ...base, company: 'Quark Labs', tags: ['vip', 'eu'] })).toBeNull();
    for (const other of [null, 'text', [], {}, { typed: {}, base: {}, at: 1 }])
      expect(readFormDraft(other, parts, base)).toBeNull();
  });

  it('is read without parts that the form does not know, or that have another shape by now', () => {
    const other = { ...stored, typed: { company: ['a'], phone: '7', gone: 'x' } };
    expect(readFormDraft(other, parts, base)?.typed).toEqual({ phone: '7' });
  });
});
