import { describe, expect, test } from 'vitest';
import { answerSummary, conflictTimes, mailedInvitees, occurrenceOf, seriesOfEvent } from './event-labels';
import { isQuestion, questionLabels } from './mail-question-labels';
import { makeEvent, makeInvitee } from './testing/event-fixtures';

test('answers are summed up in one order, without those nobody gave', () => {
  const answers = ['needs_action', 'declined', 'accepted', 'accepted'] as const;
  expect(answerSummary(answers.map((responseStatus) => ({ responseStatus })))).toBe('2 yes, 1 no, 1 pending');
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
    expect(questionLabels({ title: 'Tyres', invitees: 3, what: 'changed', added: 2, stayLabel: 'Keep editing' })).toEqual({
      title: 'Notify guests?',
      description: 'Email 3 guests that “Tyres” was changed? 2 new guests will be emailed an invitation either way.',
      notify: 'Notify all 3',
      quiet: 'Don’t notify',
      stay: 'Keep editing',
    });
  });

  test('says that dragging one date moves them all, also where no one would be mailed', () => {
    const alone = { title: 'Tyres', invitees: 0, what: 'moved', isSeries: true } as const;
    expect([isQuestion(alone), isQuestion({ ...alone, isSeries: false })]).toEqual([true, false]);
    expect(questionLabels(alone)).toEqual({
      title: 'Move the whole series?',
      description: '“Tyres” is a recurring event. All events in the series move by the same amount, including past ones.',
      notify: null,
      quiet: 'Move all events',
      stay: 'Keep original time',
    });
    expect(questionLabels({ ...alone, invitees: 3 })).toMatchObject({
      notify: 'Move all and notify 3',
      quiet: 'Move all without notifying',
    });
  });

  test('tells cancelling from changing, and counts who is taken off the list', () => {
    expect(questionLabels({ title: 'Tyres', invitees: 1, what: 'cancelled' })).toMatchObject({
      title: 'Cancel “Tyres”?',
      notify: 'Cancel and notify 1',
      quiet: 'Cancel without notifying',
      stay: 'Keep event',
    });
    expect(questionLabels({ title: 'Tyres', invitees: 2, what: 'cancelled', isSeries: true }).description).toBe(
      'All events in the series stay on the calendar, crossed out. Email a cancellation to 2 guests?',
    );
    expect(questionLabels({ title: 'Tyres', invitees: 0, removed: 1, what: 'changed' })).toMatchObject({
      description: 'Email a cancellation to 1 removed guest?',
      notify: 'Notify 1 guest',
    });
  });
});

describe('the times of a conflict', () => {
  const viewer = { timeZone: 'America/New_York', locale: 'en-GB' };
  const day = { startTime: '2026-11-23T23:00:00.000Z', endTime: '2026-11-24T23:00:00.000Z', timezone: 'Europe/Berlin' };

  test('of whole days are their dates, wherever they are looked at', () => {
    expect(conflictTimes({ ...day, allDay: true }, viewer)).toMatch(/^Tue,? 24 Nov, all day$/);
    expect(conflictTimes({ ...day, endTime: '2026-11-26T23:00:00.000Z', allDay: true }, viewer)).toMatch(
      /^24\s?–\s?26 Nov, all day$/,
    );
  });

  test('of others are times by the viewer’s clock', () => {
    const times = { startTime: '2026-11-24T14:30:00.000Z', endTime: '2026-11-24T15:00:00.000Z', timezone: 'Europe/Berlin' };
    expect(conflictTimes({ ...times, allDay: false }, viewer)).toMatch(/^Tue,? 24 Nov, 09:30\s?–\s?10:00$/);
    // From midnight to midnight in the viewer's zone, but not whole days.
    const shift = { startTime: '2026-11-24T05:00:00.000Z', endTime: '2026-11-25T05:00:00.000Z', timezone: 'UTC', allDay: false };
    expect(conflictTimes(shift, viewer)).toContain('00:00');
  });
});
