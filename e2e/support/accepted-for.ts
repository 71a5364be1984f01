import { expect } from '@playwright/test';

/**
 * Asks without a pause, so that whatever remembers the answer has every reason to, until it is no longer the old one.
 *
 * @returns milliseconds from now until the last question that was still answered as before: no slow machine makes it longer
 */
export async function acceptedFor(isAsBefore: () => Promise<boolean>): Promise<number> {
  const from = performance.now();
  let last = from;
  const ask = async () => {
    const asked = performance.now();
    const isSame = await isAsBefore();
    if (isSame) last = asked;
    return isSame;
  };
  await expect.poll(ask, { intervals: [1] }).toBe(false);
  return last - from;
}
