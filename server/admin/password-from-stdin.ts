import type { Readable } from 'node:stream';
import { UsageError } from './commands';

/** Limit in bytes, longer than any valid password. */
const maximum = 10_000;

const flag = '--password-stdin';

/** True if an option is given, as `--option value` or `--option=value`. */
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
 * Replaces `--password-stdin` by the password read from standard input: other programs can read passwords on a command line.
 * @param option the command's password option; undefined if it has none
 * @throws UsageError if both ways are used, or standard input is empty
 */
export async function withPasswordFromStdin(option: string | undefined, args: string[], input: Readable): Promise<string[]> {
  if (option === undefined || !args.includes(flag)) return args;
  if (isGiven(option, args)) throw new UsageError(`Give either ${option} or ${flag}.`);
  input.setEncoding('utf8');
  const password = await readLine(input);
  if (password === '') throw new UsageError(`${flag}: standard input holds no password.`);
  return [...args.filter((argument) => argument !== flag), `${option}=${password}`];
}
