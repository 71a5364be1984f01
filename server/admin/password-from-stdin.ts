import type { Readable } from 'node:stream';
import { UsageError } from './commands';

/** More than any password has, in bytes. */
const maximum = 10_000;

const flag = '--password-stdin';

/** Whether an option is among the arguments, with its value behind it or behind a `=`. */
export function isGiven(option: string, args: readonly string[]): boolean {
  return args.some((argument) => argument === option || argument.startsWith(`${option}=`));
}

async function readLine(input: Readable): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.length > maximum) throw new UsageError(`${flag}: the password is too long.`);
  }
  return text.replace(/\r?\n$/, '');
}

/**
 * The arguments with what standard input holds in place of `--password-stdin`: passwords on a command line can be read by other programs.
 *
 * @param option what the command calls its password; undefined where it takes none
 * @throws UsageError where both ways are used, or there is nothing to read
 */
export async function withPasswordFromStdin(option: string | undefined, args: string[], input: Readable): Promise<string[]> {
  if (option === undefined || !args.includes(flag)) return args;
  if (isGiven(option, args)) throw new UsageError(`Give either ${option} or ${flag}.`);
  input.setEncoding('utf8');
  const password = await readLine(input);
  if (password === '') throw new UsageError(`${flag}: standard input holds no password.`);
  return [...args.filter((argument) => argument !== flag), `${option}=${password}`];
}
