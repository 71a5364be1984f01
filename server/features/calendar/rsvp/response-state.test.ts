import { expect, test } from 'vitest';
import { responseStateOf } from './response-state';

const kinds = (facts: Omit<Parameters<typeof responseStateOf>[0], 'repeats'>) => {
  const { heading, buttons } = responseStateOf({ ...facts, repeats: false });
  return [heading, ...buttons.map(({ kind }) => kind)];
};

test('what is recorded is told from what is only suggested', () => {
  expect(kinds({ response: 'needs_action', chosen: null })).toEqual(['Will you come?', 'primary', 'plain', 'plain']);
  expect(kinds({ response: 'needs_action', chosen: 'tentative' })).toEqual(['Will you come?', 'plain', 'primary', 'plain']);
  expect(kinds({ response: 'declined', chosen: null })).toEqual(['Your answer: no.', 'plain', 'plain', 'recorded']);
  expect(kinds({ response: 'declined', chosen: 'declined' })).toEqual(['Your answer: no.', 'plain', 'plain', 'recorded']);
  expect(kinds({ response: 'declined', chosen: 'accepted' })).toEqual(['Your answer: no.', 'primary', 'plain', 'recorded']);
});

test('the words say what a press would do', () => {
  expect(responseStateOf({ response: 'needs_action', chosen: 'declined', repeats: true }).text).toBe(
    'Nothing is recorded yet. Press “Decline” to confirm. It counts for all dates.',
  );
  expect(responseStateOf({ response: 'accepted', chosen: 'tentative', repeats: false }).text).toBe(
    'Recorded. To change it to maybe, press “Maybe”.',
  );
  expect(responseStateOf({ response: 'accepted', chosen: null, repeats: true }).text).toBe(
    'Recorded. It counts for all dates. You can change it here.',
  );
});
