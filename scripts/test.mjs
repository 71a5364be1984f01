import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stopWithParent } from './stop-with-parent.mjs';
import { flakyList, playwrightResult, vitestResult } from './test-report.mjs';

/**
 * `npm test`: all checks, those that find faults fastest first, stopping at the first step that fails. The last line counts
 * tests; a failed step without tests counts as one failure. In CI, a test that fails is tried once more; those that passed only
 * then are listed before the last line.
 */

const reports = mkdtempSync(path.join(os.tmpdir(), 'frontdesk-reports-'));
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
      env: { ...process.env, ...env },
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
    return step.result?.() ?? { passed: 0, failed: 0, flaky: [] };
  } catch (error) {
    console.error(`The report of this step can't be read: ${error.message}`);
    return { passed: 0, failed: 1, flaky: [] };
  }
}

async function main() {
  let passed = 0;
  const flaky = [];
  for (const step of steps) {
    const started = Date.now();
    console.log(`\n▸ ${step.title}`);
    const succeeded = await run(step);
    const result = resultOf(step);
    passed += result.passed;
    flaky.push(...result.flaky);
    console.log(`${succeeded ? '✓' : '✗'} ${step.title}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
    if (interrupted || !succeeded || result.failed > 0) return { passed, failed: Math.max(result.failed, 1), flaky };
  }
  return { passed, failed: 0, flaky };
}

const { passed, failed, flaky } = await main();
rmSync(reports, { recursive: true, force: true });
if (failed === 0) rmSync('test-results', { recursive: true, force: true }); // Traces are kept if something failed.
console.log(`${flakyList(flaky)}\n${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
