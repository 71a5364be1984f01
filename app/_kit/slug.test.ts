import { expect, test } from 'vitest';
import { createAgentInput } from '@/server/features/agents/agent.schema';
import { handle } from '@/server/features/identity/identity.schema';
import { slugOf } from './slug';

test.each([
  ['Harbor Studio', 'harbor-studio'],
  ['Café Ömür & Sons', 'cafe-omur-sons'],
  ["Bob's Bikes", 'bobs-bikes'],
  ['  --Großmann-- ', 'grossmann'],
  ['  Übersee & Zoll  ', 'ubersee-zoll'],
  ['Straße 7', 'strasse-7'],
  ['X', 'x'],
  ['日本', ''],
  ['', ''],
])('%j → %j', (name, expected) => {
  expect(slugOf(name)).toBe(expected);
});

test.each([`${'a'.repeat(62)} and more`, 'word '.repeat(40)])('is one that the API takes, however long the name', (name) => {
  expect(handle.safeParse(slugOf(name)).success).toBe(true);
  expect(createAgentInput.shape.roleId.safeParse(slugOf(name)).success).toBe(true);
});
