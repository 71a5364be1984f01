import { expect, it } from 'vitest';
import { eventNotes } from './event-labels';

const plain = { status: 'confirmed', recurrence: 'none', inviteeCount: 0, agent: null, location: '' } as const;

it('says nothing of an event that is as most are', () => {
  expect(eventNotes(plain)).toBe('');
});

it('says in words what is only drawn', () => {
  expect(
    eventNotes({
      status: 'tentative',
      recurrence: 'weekly',
      inviteeCount: 3,
      agent: { id: '0190d2a4-8a4f-7c3e-9b1d-2f6a5c8e7d10', name: 'Ada', avatarUrl: '' },
      location: ' Workshop ',
    }),
  ).toBe('Tentative, repeats, 3 guests, at Workshop, by Ada');
  expect(eventNotes({ ...plain, inviteeCount: 1 })).toBe('1 guest');
  expect(eventNotes({ ...plain, status: 'cancelled' })).toBe('Canceled');
});
