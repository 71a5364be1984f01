import { describe, expect, test } from 'vitest';
import { answerSummary, mailedInvitees, occurrenceOf, seriesOfEvent } from './event-words';
import { questionWords } from './mail-question-words';
import { makeEvent, makeInvitee } from './make-event';

test('answers are summed up in one order, without those nobody gave', () => {
  const answers = ['needs_action', 'declined', 'accepted', 'accepted'] as const;
  expect(answerSummary(answers.map((responseStatus) => ({ responseStatus })))).toBe('2 yes, 1 no, 1 waiting');
});

test('the business itself is mailed nothing', () => {
  const invitees = [makeInvitee('ann@quark.example'), makeInvitee('shop@harbor.example', { isOrganizer: true })];
  expect(mailedInvitees({ invitees })).toBe(1);
});

describe('one date of a series', () => {
  test('has the length of the first', () => {
    const series = seriesOfEvent(makeEvent({ recurrence: 'weekly' }));
    const { start, end } = occurrenceOf(series, '2026-12-01T09:00:00.000Z');
    expect([start, end].map((at) => new Date(at).toISOString())).toEqual([
      '2026-12-01T09:00:00.000Z',
      '2026-12-01T10:00:00.000Z',
    ]);
    expect(occurrenceOf(series, null)).toEqual(series);
    expect(occurrenceOf(series, 'nonsense')).toEqual(series);
  });

  test('of whole days has as many, also where one of them has 23 hours', () => {
    const times = { startTime: '2026-03-21T23:00:00.000Z', endTime: '2026-03-22T23:00:00.000Z' };
    const series = seriesOfEvent(makeEvent({ ...times, allDay: true, recurrence: 'weekly' }));
    const { start, end } = occurrenceOf(series, '2026-03-28T23:00:00.000Z');
    expect([start, end].map((at) => new Date(at).toISOString())).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
  });
});

describe('the question before mailing', () => {
  test('names the consequence of each choice', () => {
    expect(questionWords({ title: 'Tyres', invitees: 3, what: 'changed', added: 2, stayLabel: 'Keep editing' })).toEqual({
      title: 'Tell the invitees?',
      description: '3 invitees can be mailed that “Tyres” was changed. 2 new invitees will be mailed an invitation in any case.',
      notify: 'Notify all 3',
      quiet: 'Save without mailing',
      stay: 'Keep editing',
    });
  });

  test('tells cancelling from changing, and counts who is taken off the list', () => {
    expect(questionWords({ title: 'Tyres', invitees: 1, what: 'cancelled' })).toMatchObject({
      title: 'Cancel “Tyres”?',
      notify: 'Cancel and notify 1',
      quiet: 'Cancel without mailing',
      stay: 'Keep it',
    });
    expect(questionWords({ title: 'Tyres', invitees: 2, what: 'cancelled', isSeries: true }).description).toBe(
      'All dates of the series stay in the calendar, struck through. 2 invitees can be mailed a cancellation.',
    );
    expect(questionWords({ title: 'Tyres', invitees: 0, removed: 1, what: 'changed' })).toMatchObject({
      description: '1 removed invitee can be mailed a cancellation.',
      notify: 'Notify 1 invitee',
    });
  });
});
