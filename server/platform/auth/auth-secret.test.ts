import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { ConfigurationError, overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { authSecret, knownAuthSecret } from './session-token';

withFreshDatabase();

let file = '';

beforeEach(() => {
  const folder = mkdtempSync(path.join(inject('testDirectory'), 'secret-'));
  file = path.join(folder, 'auth-secret');
  overrideEnv({ DATA_DIR: folder, AUTH_SECRET: undefined });
});

describe('the secret of an installation', () => {
  test('is made once, and read from then on', () => {
    expect(knownAuthSecret()).toBeNull();
    const secret = authSecret();
    expect(secret).toHaveLength(43);
    expect(readFileSync(file, 'utf8')).toBe(`${secret}\n`);
    overrideEnv({ AUTH_SECRET: undefined });
    expect([authSecret(), knownAuthSecret()]).toEqual([secret, secret]);
    expect(readdirSync(path.dirname(file))).toEqual(['auth-secret']);
  });

  test.each([
    ['', 'empty'],
    ['\n', 'empty'],
    ['x'.repeat(31), 'too short'],
    ['\0'.repeat(44), 'damaged'],
    [`${'x'.repeat(40)}\0`, 'damaged'],
    [`${'x'.repeat(40)}\ufffd`, 'damaged'],
  ])('is refused where a power loss left %j, with the way out in one line', (content, what) => {
    writeFileSync(file, content);
    for (const read of [authSecret, knownAuthSecret]) {
      expect(read).toThrow(ConfigurationError);
      expect(read).toThrow(new RegExp(`^The secret in .*auth-secret is ${what}\\. Put the file back .* Or delete it.*$`));
    }
    expect(readFileSync(file, 'utf8')).toBe(content);
  });
});
