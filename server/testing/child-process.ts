import type { ChildProcess } from 'node:child_process';
import { findProgram } from './program';

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Resolves when a process has ended: with its exit status, or null if a signal has killed it. */
export async function exitOf(child: ChildProcess): Promise<number | null> {
  if (hasEnded(child)) return child.exitCode;
  return new Promise((resolve) => child.once('exit', resolve));
}

/** `kill -9`. */
export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await exitOf(child);
}

/** Of util-linux. */
const setpriv = process.platform === 'linux' ? findProgram('setpriv') : null;

/**
 * Program and arguments for `spawn`, of a program that does not outlive the one that starts it, even if that is killed. For
 * programs that do not change their user. Not on systems other than Linux.
 */
export function tied(program: string, args: readonly string[]): [string, string[]] {
  return setpriv ? [setpriv, ['--pdeathsig', 'KILL', program, ...args]] : [program, [...args]];
}
