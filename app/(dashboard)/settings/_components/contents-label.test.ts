import { expect, it } from 'vitest';
import { contentsLabel } from './contents-label';

const none = { handle: 'x', displayName: null, customers: 0, conversations: 0, posts: 0, events: 0, agents: 0, apiKeys: 0 };

it('leaves out what there is none of', () => {
  expect(contentsLabel(none)).toHaveLength(1);
});

it('counts what there is', () => {
  expect(contentsLabel({ ...none, customers: 1, conversations: 1234, apiKeys: 2 }).slice(0, 3)).toEqual([
    '1 customer',
    '1,234 conversations with all messages and files',
    '2 active API keys; apps using them stop working',
  ]);
});
