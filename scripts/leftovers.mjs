import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/**
 * Processes that work in a folder or have it as their folder for temporary files, by the program's arguments, environment and
 * working directory. Only Linux says so; elsewhere none is found. One of another user is found by root only.
 *
 * @param {string} folder
 * @returns {{ pid: number, command: string }[]} without the calling process
 */
export function processesOf(folder) {
  const found = [];
  for (const name of processIds()) {
    const pid = Number(name);
    const command = read(pid, 'cmdline');
    const isOurs = () =>
      command.includes(folder) ||
      read(pid, 'environ').split('\n').includes(`TMPDIR=${folder}`) ||
      workingDirectory(pid).startsWith(folder);
    if (pid !== process.pid && isOurs()) found.push({ pid, command: command.replaceAll('\n', ' ').trim() });
  }
  return found;
}

function processIds() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** A list that the kernel keeps with NULs; ours has a line each. Empty of a process that has ended, or may not be looked at. */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8').replaceAll('\0', '\n');
  } catch {
    return '';
  }
}

function workingDirectory(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits for the processes of a folder to end, and kills those that do not.
 *
 * @param {string} folder
 * @param {{ patience?: number }} options how long to wait, in milliseconds
 * @returns {Promise<{ pid: number, command: string }[]>} those that it had to kill
 */
export async function endProcessesOf(folder, { patience = 15_000 } = {}) {
  const deadline = Date.now() + patience;
  let left = processesOf(folder);
  while (left.length > 0 && Date.now() < deadline) {
    await pause(250);
    left = processesOf(folder);
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  }
  return left;
}
