import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { defaultOf } from './commonjs-default';

test('a default export is found as bundlers and as Node give it', () => {
  const provider = () => 'a provider';
  expect(defaultOf(provider)()).toBe('a provider');
  expect(defaultOf({ default: provider } as unknown as typeof provider)()).toBe('a provider');
});

test('what next-auth exports is found by Node itself, which runs the built server', () => {
  const program = `
    const defaultOf = ${defaultOf.toString()};
    for (const name of ['next-auth', 'next-auth/providers/credentials']) {
      const imported = (await import(name)).default;
      console.log(typeof defaultOf(imported));
    }`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(printed).toBe('function\nfunction\n');
});
