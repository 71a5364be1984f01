import { expect, test } from 'vitest';
import { leavingEmail, listUnsubscribeOf } from './list-unsubscribe';

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
  ['<mailto:%E0@list.example>, <mailto:Leave-x7Q@list.example>', oneClick, 'email', 'mailto:Leave-x7Q@list.example'],
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

test.each([
  '',
  'https://list.example/u',
  '<javascript:alert(1)>',
  '<file:///etc/passwd>',
  '<mailto:nothing>',
  '<mailto:%E0%A4@list.example>',
  '<mailto:a%0D%0ABcc:b@list.example>',
  '<mailto:a%00@list.example>',
  '<ftp://list.example>',
  '<>',
  `<https://list.example/${'x'.repeat(2_000)}>`,
])('nothing is taken from %j', (unsubscribe) => {
  expect(wayOf(unsubscribe, oneClick)).toBeNull();
});

test('a message without the header is of no list', () => {
  expect(listUnsubscribeOf([{ key: 'subject', line: 'Subject: Offers' }])).toBeNull();
});

test.each([
  ['mailto:Leave-x7Q@list.example', { recipient: 'Leave-x7Q@list.example', subject: '', text: '' }],
  [
    'mailto:a%2Bb@list.example,c@list.example?Subject=leave+7&body=Please%20do&cc=d@list.example',
    { recipient: 'a+b@list.example', subject: 'leave+7', text: 'Please do' },
  ],
  ['https://list.example/a@list.example', null],
])('the email of %s', (target, email) => {
  expect(leavingEmail(new URL(target))).toEqual(email);
});
