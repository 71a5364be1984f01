import { describe, expect, it } from 'vitest';
import { dateOf, moveLabel, pictureSources, statusChoices } from './post-labels';

const published = '2026-11-02T09:30:00.000Z';
const editedAt = '2026-11-20T08:00:00.000Z';

it('dates what readers see by its publication, everything else by the last edit', () => {
  const words = (['published', 'draft', 'archived'] as const).map((status) =>
    dateOf({ status, publishedAt: status === 'draft' ? null : published, editedAt }),
  );
  expect(words).toEqual([
    { word: 'Published', at: published },
    { word: 'Edited', at: editedAt },
    { word: 'Edited', at: editedAt },
  ]);
});

it('says with an ellipsis which moves ask first', () => {
  const labels = (status: 'draft' | 'published' | 'archived', publishedAt: string | null) =>
    (['publish', 'unpublish', 'archive'] as const).map((move) => moveLabel({ status, publishedAt }, move));
  expect(labels('draft', null)[0]).toBe('Publish');
  expect(labels('published', published).slice(1)).toEqual(['Unpublish…', 'Archive']);
  expect(labels('archived', published).slice(0, 2)).toEqual(['Publish again', 'Move to drafts…']);
  expect(labels('archived', null).slice(0, 2)).toEqual(['Publish', 'Move to drafts']);
});

it('counts all posts as the sum of the others', () => {
  const counts = statusChoices({ draft: 2, published: 30, archived: 4 }).map(({ count }) => count);
  expect(counts).toEqual([36, 2, 30, 4]);
  expect(statusChoices(undefined).every(({ count }) => count === null)).toBe(true);
});

describe('the sources of a small picture', () => {
  const path = '/blog/harbor-lane/media/01a1fede-5733-746a-b50e-53384b563535';

  it('are the narrow file first for a picture of our own, whatever the address', () => {
    expect(pictureSources(`${path}.webp`)).toEqual([`${path}-480.webp`, `${path}.webp`]);
    expect(pictureSources(`http://localhost:4100${path}.webp`)).toEqual([`${path}-480.webp`, `${path}.webp`]);
  });

  it('are the picture itself elsewhere, where it may be shown', () => {
    expect(pictureSources('https://pictures.example/a.jpg')).toEqual(['https://pictures.example/a.jpg']);
    expect(pictureSources('http://pictures.example/a.jpg')).toEqual([]);
    expect(pictureSources('')).toEqual([]);
  });

  it('end with the address as it stands, should another installation have a picture under such a path', () => {
    expect(pictureSources(`https://other.example${path}.webp`).at(-1)).toBe(`https://other.example${path}.webp`);
  });
});
