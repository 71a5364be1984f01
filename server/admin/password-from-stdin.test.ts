import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { invalidFields } from '../platform/errors';
import { commands, describeRefusal, UsageError, usage } from './commands';
import { withPasswordFromStdin } from './password-from-stdin';

const read = (args: string[], text: string, option: string | undefined = '--password') =>
  withPasswordFromStdin(option, args, Readable.from([Buffer.from(text)]));

describe('--password-stdin', () => {
  test.each([
    ['correct horse battery\n', 'correct horse battery'],
    ['correct horse battery\r\n', 'correct horse battery'],
    ['--looks=like an option', '--looks=like an option'],
    [' Pässwörd 😀 ', ' Pässwörd 😀 '],
  ])('takes %j from standard input, to the letter', async (typed, password) => {
    const args = await read(['--email', 'ann@quark.example', '--password-stdin'], typed);
    expect(commands['user set-password']?.parse(args)).toEqual({ email: 'ann@quark.example', password });
  });

  test('stands for the password of the owner where an identity is created', async () => {
    const { passwordOption } = commands['identity create'] ?? {};
    expect(passwordOption).toBe('--owner-password');
    const args = ['--handle', 'quark', '--owner-email', 'ann@quark.example', '--password-stdin'];
    const parsed = commands['identity create']?.parse(await read(args, 'correct horse battery\n', passwordOption));
    expect(parsed).toMatchObject({ handle: 'quark', ownerPassword: 'correct horse battery' });
  });

  test('refuses nothing, too much, and a password beside it', async () => {
    await expect(read(['--password-stdin'], '')).rejects.toThrow(UsageError);
    await expect(read(['--password-stdin'], '\n')).rejects.toThrow(UsageError);
    await expect(read(['--password-stdin'], 'x'.repeat(10_001))).rejects.toThrow(UsageError);
    for (const given of [['--password', 'x'], ['--password=x']]) {
      await expect(read(['--password-stdin', ...given], 'y')).rejects.toThrow('either --password or --password-stdin');
    }
  });

  test('is read by commands with a password only', async () => {
    const args = ['--id', 'x', '--password-stdin'];
    const { passwordOption } = commands['key revoke'] ?? {};
    expect(await withPasswordFromStdin(passwordOption, args, Readable.from([]))).toEqual(args);
    expect(() => commands['key revoke']?.parse(args)).toThrow('--password-stdin');
    expect(usage()).toContain('--password-stdin');
  });
});

test('what a service refuses is named by its option', () => {
  expect(describeRefusal(invalidFields({ ownerPassword: 'is too easy to guess' }))).toBe('--owner-password is too easy to guess');
});
