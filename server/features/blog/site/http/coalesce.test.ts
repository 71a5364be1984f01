import { describe, expect, it } from 'vitest';
import { coalesceLoads } from './coalesce';

/** A load that the test completes. */
function controlled() {
  const open: { key: string; resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  const get = coalesceLoads((key) => new Promise<string>((resolve, reject) => open.push({ key, resolve, reject })));
  return { get, open };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('latest', () => {
  it('never answers with what was on its way before the question', async () => {
    const { get, open } = controlled();
    const first = get('a');
    const second = get('a');
    const third = get('a');
    expect(open).toHaveLength(1);
    open[0]?.resolve('before');
    await expect(first).resolves.toBe('before');
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.resolve('after');
    await expect(Promise.all([second, third])).resolves.toEqual(['after', 'after']);
  });

  it('starts anew once nobody waits', async () => {
    const { get, open } = controlled();
    const first = get('a');
    open[0]?.resolve('one');
    await first;
    await settled();
    const second = get('a');
    open[1]?.resolve('two');
    await expect(second).resolves.toBe('two');
  });

  it('keeps keys apart', async () => {
    const { get, open } = controlled();
    const both = Promise.all([get('a'), get('b')]);
    expect(open.map(({ key }) => key)).toEqual(['a', 'b']);
    for (const { key, resolve } of open) resolve(key);
    await expect(both).resolves.toEqual(['a', 'b']);
  });

  it('fails those who asked for what failed, and no one after them', async () => {
    const { get, open } = controlled();
    const first = get('a');
    const second = get('a');
    open[0]?.reject(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await settled();
    open[1]?.resolve('back');
    await expect(second).resolves.toBe('back');
  });
});
