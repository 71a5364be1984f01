import { expect, it } from 'vitest';
import { isSettled, testMailWords } from './test-mail-words';

const recipient = 'mara@harborlane.example';

it('says how a test mail fares', () => {
  expect(testMailWords({ state: 'queued', error: null, recipient })).toBe(`On its way to ${recipient}…`);
  expect(testMailWords({ state: 'sent', error: null, recipient })).toContain(recipient);
  expect(testMailWords({ state: 'failed', error: '550 Nobody here', recipient })).toBe('It was not delivered. 550 Nobody here');
  expect(testMailWords({ state: 'queued', error: 'No answer', recipient })).toMatch(/tried again.*No answer$/);
});

it('knows when nothing more happens', () => {
  expect((['queued', 'sending', 'sent', 'failed'] as const).map((state) => isSettled({ state }))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
