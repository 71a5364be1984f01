import { expect, test } from 'vitest';
import { imageWork } from './image-work';

/** Work that runs until resolved. */
function pending(name: string, log: string[]) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const work = () => {
    log.push(name);
    return ended.then(() => name);
  };
  return { work, end };
}

/** Waits until all runnable work has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('two images are in work at once, a large one alone, in the order in which they came', async () => {
  const started: string[] = [];
  const works = ['a', 'b', 'c', 'large', 'd', 'e'].map((name) => pending(name, started));
  const results = works.map(({ work }, index) => imageWork(work, { alone: index === 3 }));
  const afterEnding = async (index: number) => {
    works[index]?.end();
    await settled();
    return started.join(' ');
  };
  await settled();
  expect(started).toEqual(['a', 'b']);
  expect(await afterEnding(1)).toBe('a b c');
  expect(await afterEnding(0)).toBe('a b c');
  expect(await afterEnding(2)).toBe('a b c large');
  expect(await afterEnding(3)).toBe('a b c large d e');
  works[4]?.end();
  works[5]?.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'large', 'd', 'e']);
});

test('what fails gives its place to the next', async () => {
  const failures = Array.from({ length: 5 }, () => imageWork(() => Promise.reject(new Error('broken'))));
  for (const result of await Promise.allSettled(failures)) expect(result.status).toBe('rejected');
  expect(await imageWork(() => Promise.resolve(1), { alone: true })).toBe(1);
});
