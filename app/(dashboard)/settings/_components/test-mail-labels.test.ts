import { expect, it } from 'vitest';
import { isSettled, testMailLabel } from './test-mail-labels';

const recipient = 'mara@harborlane.example';

it('describes the state of a test email', () => {
  expect(testMailLabel({ state: 'queued', error: null, recipient })).toBe(`Sending to ${recipient}…`);
  expect(testMailLabel({ state: 'sent', error: null, recipient })).toContain(recipient);
  expect(testMailLabel({ state: 'failed', error: '550 Nobody here', recipient })).toBe('Not delivered. 550 Nobody here');
  expect(testMailLabel({ state: 'queued', error: 'No answer', recipient })).toMatch(/Retrying.*No answer$/);
});

it('knows when nothing more happens', () => {
  expect((['queued', 'sending', 'sent', 'failed'] as const).map((state) => isSettled({ state }))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
