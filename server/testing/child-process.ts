import { type ChildProcess, spawnSync } from 'node:child_process';

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

/** Of util-linux; other programs of this name can't do it. */
const hasSetpriv = spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;

/**
 * Program and arguments for `spawn`, of a program that does not outlive the one that starts it, even if that is killed. For
 * programs that do not change their user. Only where there is `setpriv`, as on Debian.
 */
export function tied(program: string, args: readonly string[]): [string, string[]] {
  return hasSetpriv ? ['setpriv', ['--pdeathsig', 'KILL', program, ...args]] : [program, [...args]];
}
