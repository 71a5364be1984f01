import { expect, test } from 'vitest';
import { responseStateOf } from './response-state';

const kinds = (facts: Omit<Parameters<typeof responseStateOf>[0], 'repeats'>) => {
  const { heading, buttons } = responseStateOf({ ...facts, repeats: false });
  return [heading, ...buttons.map(({ kind }) => kind)];
};

test('what is recorded is told from what is only suggested', () => {
  expect(kinds({ response: 'needs_action', chosen: null })).toEqual(['Will you attend?', 'primary', 'plain', 'plain']);
  expect(kinds({ response: 'needs_action', chosen: 'tentative' })).toEqual(['Will you attend?', 'plain', 'primary', 'plain']);
  expect(kinds({ response: 'declined', chosen: null })).toEqual(['Your response: no.', 'plain', 'plain', 'recorded']);
  expect(kinds({ response: 'declined', chosen: 'declined' })).toEqual(['Your response: no.', 'plain', 'plain', 'recorded']);
  expect(kinds({ response: 'declined', chosen: 'accepted' })).toEqual(['Your response: no.', 'primary', 'plain', 'recorded']);
});

test('the words say what a press would do', () => {
  expect(responseStateOf({ response: 'needs_action', chosen: 'declined', repeats: true }).text).toBe(
    'Not saved yet. Press “Decline” to confirm. Your answer counts for every date.',
  );
  expect(responseStateOf({ response: 'accepted', chosen: 'tentative', repeats: false }).text).toBe(
    'Saved. To change it to maybe, press “Maybe”.',
  );
  expect(responseStateOf({ response: 'accepted', chosen: null, repeats: true }).text).toBe(
    'Saved for every date. You can change it here.',
  );
});
