import { expect, test } from 'vitest';
import { obstacle } from './passkey-labels';

test('what keeps a passkey from being added is explained', () => {
  const list = { isPossible: true, origin: 'https://desk.example.com', passkeys: [] };
  const browser = { origin: 'https://desk.example.com', isSupported: true };
  expect(obstacle(list, browser)).toBeNull();
  expect(obstacle({ ...list, isPossible: false }, browser)).toContain('PUBLIC_URL');
  expect(obstacle(list, { ...browser, origin: 'http://127.0.0.1:3000' })).toContain('only at https://desk.example.com');
  expect(obstacle(list, { ...browser, isSupported: false })).toContain('This browser');
});
