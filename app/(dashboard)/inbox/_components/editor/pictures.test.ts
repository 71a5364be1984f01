import { expect, it } from 'vitest';
import { followPictures, pictureId, pictureIdsIn, pictureReference } from './pictures';

const [map, plan, file] = [
  '0192f0aa-1111-7111-8111-111111111111',
  '0192f0aa-2222-7222-8222-222222222222',
  '0192f0aa-3333-7333-8333-333333333333',
];

it('finds the attachments that a text shows', () => {
  expect(pictureId(pictureReference(map))).toBe(map);
  expect(pictureId('https://a.example')).toBeNull();
  expect([
    ...pictureIdsIn(`![a](attachment:${map}) ![b](<attachment:${plan.toUpperCase()}> "t") [c](https://attachment:x)`),
  ]).toEqual([map, plan]);
});

it('removes pictures that were deleted from the text, and brings back those that an undo restores', () => {
  const [first, second, third] = [{ id: map }, { id: plan }, { id: file }];
  const known = new Map([map, plan, file].map((id) => [id, { id }]));
  const change = (before: string[], after: string[]) => ({ before: new Set(before), after: new Set(after), known });
  expect(followPictures([first, second, third], change([map, plan], [plan]))).toEqual([second, third]);
  expect(followPictures([third], change([], [map]))).toEqual([third, first]);
  expect(followPictures([third], change([], ['unknown']))).toEqual([third]);
});
