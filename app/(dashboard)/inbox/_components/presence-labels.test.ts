import { expect, it } from 'vitest';
import { presenceLine } from './presence-labels';

const viewing = (...names: string[]) => names.map((name) => ({ userId: name, name, activity: 'viewing' as const }));

it.each([
  [[], null],
  [['Mara'], 'Mara is viewing'],
  [['Mara', 'Tom'], 'Mara and Tom are viewing'],
  [['Mara', 'Tom', 'Aylin'], 'Mara, Tom and 1 other are viewing'],
  [['Mara', 'Tom', 'Aylin', 'Jonas'], 'Mara, Tom and 2 others are viewing'],
])('names %j', (names, line) => {
  expect(presenceLine(viewing(...names), 'viewing')).toBe(line);
});

it('tells who is answering from who is viewing', () => {
  const others = [...viewing('Tom'), { userId: 'm', name: 'Mara', activity: 'answering' as const }];
  expect(presenceLine(others, 'answering')).toBe('Mara is answering');
  expect(presenceLine(others, 'viewing')).toBe('Tom is viewing');
});
