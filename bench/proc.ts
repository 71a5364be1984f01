import { readdirSync, readFileSync } from 'node:fs';

/** What Linux says about processes in /proc; elsewhere nothing is known, and the tables show a dash. */

const ticksPerSecond = 100; // USER_HZ, the same on every Linux that Node runs on

interface Stat {
  parent: number;
  /** Own CPU time in milliseconds. */
  own: number;
  /** That of children which have ended. */
  ended: number;
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const milliseconds = (from: number) => ((Number(fields[from]) + Number(fields[from + 1])) * 1000) / ticksPerSecond;
    return { parent: Number(fields[1]), own: milliseconds(11), ended: milliseconds(13) };
  } catch {
    return null;
  }
}

/** CPU milliseconds this process has used so far, in user and kernel mode together. */
export function cpuOf(pid: number): number | null {
  return statOf(pid)?.own ?? null;
}

function childrenOf(pid: number): { pid: number; stat: Stat }[] {
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    return stat?.parent === pid ? [{ pid: Number(name), stat }] : [];
  });
}

/** CPU milliseconds of a process, its children and those it had. */
export function cpuOfFamily(pid: number): number | null {
  const parent = statOf(pid);
  if (!parent) return null;
  return childrenOf(pid).reduce((sum, { stat }) => sum + stat.own, parent.own + parent.ended);
}

function megabytesOf(file: string, pattern: RegExp): number | null {
  try {
    const kilobytes = pattern.exec(readFileSync(file, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
  } catch {
    return null;
  }
}

/** Memory of a process that is in RAM, in MB. */
export const residentMemoryOf = (pid: number) => megabytesOf(`/proc/${pid}/status`, /^VmRSS:\s+(\d+)/m);

/** The most it ever had there, in MB. */
export const mostMemoryOf = (pid: number) => megabytesOf(`/proc/${pid}/status`, /^VmHWM:\s+(\d+)/m);

/** Memory in RAM of a process and its children, in MB; what they share counts once (PSS). */
export function memoryOfFamily(pid: number): number | null {
  const shares = [pid, ...childrenOf(pid).map((child) => child.pid)].map((one) =>
    megabytesOf(`/proc/${one}/smaps_rollup`, /^Pss:\s+(\d+)/m),
  );
  const known = shares.filter((share) => share !== null);
  return known.length > 0 ? known.reduce((sum, share) => sum + share, 0) : null;
}
