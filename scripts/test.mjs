import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { endProcessesOf } from './leftovers.mjs';
import { stopWithParent } from './stop-with-parent.mjs';
import { makeTemporaryFolder } from './temporary-folder.mjs';
import { flakyList, playwrightResult, slowestOf, timeTable, vitestResult } from './test-report.mjs';

/**
 * `npm test`: all checks, those that find faults fastest first, stopping at the first step that fails. The last line counts
 * tests; a failed step without tests counts as one failure. Above it are the times of the steps and the slowest tests. In CI, a
 * test that fails is tried once more; those that passed only then are listed before the last line. A step that leaves a process
 * behind has failed.
 */

/** For all that the steps write; what works in it after a step was left behind. */
const folder = makeTemporaryFolder('frontdesk-run-');
const reports = path.join(folder, 'reports');
mkdirSync(reports);
const vitestReport = path.join(reports, 'vitest.json');
const playwrightReport = path.join(reports, 'playwright.json');
const recordedSql = { RECORD_SQL: path.join(reports, 'sql') };

const steps = [
  { title: 'Format and lint', script: 'lint' },
  { title: 'Types', script: 'types' },
  { title: 'Import rules', script: 'imports' },
  { title: 'Unused code', script: 'unused' },
  { title: 'Migrations', script: 'migration', args: ['check'] },
  { title: 'OpenAPI document', script: 'openapi:lint' },
  {
    title: 'Unit and integration tests',
    script: 'test:unit',
    args: ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`],
    result: () => vitestResult(readReport(vitestReport), process.cwd()),
    env: recordedSql,
  },
  { title: 'SQL against schema, types and owners', script: 'sql:check', env: recordedSql },
  { title: 'Production build', script: 'build' },
  { title: 'Page weight', script: 'weight' },
  {
    title: 'REST contract and browser',
    script: 'test:e2e',
    args: ['--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    result: () => playwrightResult(readReport(playwrightReport), process.cwd()),
  },
];

function readReport(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

let running;
let interrupted = false;

/** A step and its children are one process group, so that none of them outlives us. */
function signalStep(signal) {
  if (!running?.pid) return;
  try {
    if (process.platform === 'win32') running.kill(signal);
    else process.kill(-running.pid, signal);
  } catch {
    // It has ended already.
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    // Like Ctrl-C: each step then stops its children. A second request kills them immediately.
    signalStep(interrupted ? 'SIGKILL' : 'SIGINT');
    interrupted = true;
  });
}
stopWithParent();

/** Runs one npm script and resolves to whether it succeeded. */
function run({ script, args = [], env = {} }) {
  const npm = process.env.npm_execpath;
  const [program, ...before] = npm ? [process.execPath, npm] : ['npm'];
  return new Promise((resolve) => {
    running = spawn(program, [...before, 'run', '--silent', script, '--', ...args], {
      detached: process.platform !== 'win32',
      shell: !npm && process.platform === 'win32',
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, TMPDIR: folder, ...env },
    });
    running.on('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
    running.on('exit', (code) => {
      signalStep('SIGTERM');
      running = undefined;
      resolve(code === 0);
    });
  });
}

/** A step that ended before it could write its report has failed, whatever its exit code says. */
function resultOf(step) {
  try {
    return step.result?.() ?? { passed: 0, failed: 0, flaky: [], slowest: [] };
  } catch (error) {
    console.error(`The report of this step can't be read: ${error.message}`);
    return { passed: 0, failed: 1, flaky: [], slowest: [] };
  }
}

/** Ends the processes that a step has left. */
async function leavesProcesses() {
  const left = await endProcessesOf(folder);
  for (const { pid, command } of left) console.error(`Left behind, and killed: ${pid} ${command}`);
  return left.length > 0;
}

async function main() {
  const done = [];
  for (const step of steps) {
    const started = Date.now();
    console.log(`\n▸ ${step.title}`);
    const succeeded = (await run(step)) && !(await leavesProcesses());
    const result = resultOf(step);
    const milliseconds = Date.now() - started;
    console.log(`${succeeded ? '✓' : '✗'} ${step.title}, ${(milliseconds / 1000).toFixed(1)} s`);
    const hasFailed = interrupted || !succeeded || result.failed > 0;
    const failed = hasFailed ? Math.max(result.failed, 1) : 0;
    done.push({ ...result, title: step.title, milliseconds, failed, tests: result.passed + result.failed });
    if (hasFailed) break;
  }
  return done;
}

const done = await main();
const sum = (name) => done.reduce((total, result) => total + result[name], 0);
const failed = sum('failed');
await leavesProcesses();
try {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
} catch (error) {
  console.error(error.message);
}
if (failed === 0) rmSync('test-results', { recursive: true, force: true }); // Traces are kept if something failed.
console.log(timeTable(done, slowestOf(done.flatMap(({ slowest }) => slowest))));
console.log(`${flakyList(done.flatMap(({ flaky }) => flaky))}\n${sum('passed')} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
