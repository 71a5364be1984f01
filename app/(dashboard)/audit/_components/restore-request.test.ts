import { expect, it } from 'vitest';
import { keyOf, restoreRequest } from './restore-request';

const value = (path: string[], previous: string | null) => ({ path, previous, current: 'now', isChangedSince: false });

it('has the chosen values at their places, and what is sent in any case', () => {
  const values = [
    value(['title'], 'Old'),
    value(['persona', 'tone'], 'Dry'),
    value(['persona', 'bio'], null),
    value(['tags'], 'x'),
  ];
  const change = { kind: 'agent' as const, id: 'a1', revision: 3, constant: { slug: 'own' }, values };
  const chosen = new Set(values.slice(0, 3).map(keyOf));
  expect(restoreRequest(change, chosen)).toEqual({ slug: 'own', title: 'Old', persona: { tone: 'Dry', bio: null } });
  expect(restoreRequest(change, new Set())).toEqual({ slug: 'own' });
});
