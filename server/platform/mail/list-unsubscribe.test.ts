import { expect, test } from 'vitest';
import { listUnsubscribeOf } from './list-unsubscribe';

const wayOf = (unsubscribe: string, post?: string) =>
  listUnsubscribeOf([
    { key: 'subject', line: 'Subject: Offers' },
    { key: 'list-unsubscribe', line: `List-Unsubscribe: ${unsubscribe}` },
    ...(post === undefined ? [] : [{ key: 'list-unsubscribe-post', line: `List-Unsubscribe-Post: ${post}` }]),
  ]);

const oneClick = 'List-Unsubscribe=One-Click';

test.each([
  ['<https://list.example/u?id=1>', oneClick, 'one_click', 'https://list.example/u?id=1'],
  ['<mailto:u@list.example>, <https://list.example/u>', ' list-unsubscribe = ONE-CLICK ', 'one_click', 'https://list.example/u'],
  ['<http://list.example/u>, <mailto:u@list.example>', oneClick, 'email', 'mailto:u@list.example'],
  ['<https://list.example/u>, <mailto:u@list.example?subject=leave>', undefined, 'email', 'mailto:u@list.example?subject=leave'],
  ['<https://list.example/u>', undefined, 'page', 'https://list.example/u'],
  ['<https://list.example/u>', 'something else', 'page', 'https://list.example/u'],
  ['<http://list.example/u>', undefined, 'page', 'http://list.example/u'],
  ['<https://list.example/\r\n  long>', undefined, 'page', 'https://list.example/long'],
  ['(Use this) <https://list.example/u> (Web)', undefined, 'page', 'https://list.example/u'],
])('%s and %s: %s', (unsubscribe, post, method, target) => {
  expect(wayOf(unsubscribe, post)).toEqual({ method, target });
});

test.each(['', 'https://list.example/u', '<javascript:alert(1)>', '<file:///etc/passwd>', '<mailto:nothing>', '<ftp://list.example>', '<>', `<https://list.example/${'x'.repeat(2_000)}>`])(
  'nothing is taken from %j',
  (unsubscribe) => {
    expect(wayOf(unsubscribe, oneClick)).toBeNull();
  },
);

test('a message without the header is of no list', () => {
  expect(listUnsubscribeOf([{ key: 'subject', line: 'Subject: Offers' }])).toBeNull();
});
