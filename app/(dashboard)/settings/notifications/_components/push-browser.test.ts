import { expect, test } from 'vitest';
import { obstacleOf } from './push-browser';

const good = { isSecure: true, hasPush: true, isApple: false, isDenied: false };

test.each([
  [{}, null],
  [{ isSecure: false, hasPush: false }, 'insecure'],
  [{ hasPush: false }, 'unsupported'],
  [{ hasPush: false, isApple: true }, 'home-screen'],
  [{ isApple: true }, null],
  [{ isDenied: true }, 'denied'],
] as const)('a browser with %j: %s', (features, obstacle) => {
  expect(obstacleOf({ ...good, ...features })).toBe(obstacle);
});
