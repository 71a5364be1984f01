import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What the JSON reports of the test runners say: counts, times, and tests that passed only when they were tried again. */

/**
 * @typedef {{ name: string, reason: string }} FlakyTest with `file › title` and the beginning of what its first try failed with
 * @typedef {{ name: string, milliseconds: number }} TimedTest with `file › title` and the time of all its tries
 * @typedef {{ passed: number, failed: number, flaky: FlakyTest[], slowest: TimedTest[] }} Result flaky tests count as passed
 */

/** How many tests are listed as the slowest. */
const listed = 10;

/** The slowest of these tests, the slowest first. */
export function slowestOf(tests) {
  return tests.toSorted((one, other) => other.milliseconds - one.milliseconds).slice(0, listed);
}

/** The message and where it was thrown, without colours. */
function beginningOf(failure = '') {
  return stripVTControlCharacters(failure).trim().split('\n').slice(0, 12).join('\n');
}

/**
 * @param {any} report of Vitest's json reporter
 * @param {string} root the folder that names of files are relative to
 * @returns {Result}
 */
export function vitestResult({ numPassedTests, numFailedTests, testResults }, root) {
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status, failureMessages, duration }) => ({
      name: [path.relative(root, file), ...ancestorTitles, title].join(' › '),
      milliseconds: duration ?? 0,
      failureMessages,
      isFlaky: status === 'passed' && failureMessages.length > 0,
    })),
  );
  const flaky = tests
    .filter(({ isFlaky }) => isFlaky)
    .map(({ name, failureMessages }) => ({ name, reason: beginningOf(failureMessages[0]) }));
  const slowest = slowestOf(tests.map(({ name, milliseconds }) => ({ name, milliseconds })));
  return { passed: numPassedTests, failed: numFailedTests, flaky, slowest };
}

/** The specs of a suite and of those in it, with the titles around them. */
function specsOf({ suites = [], specs = [] }, titles = []) {
  return [
    ...specs.map((spec) => ({ ...spec, titles: [...titles, spec.title] })),
    // The outermost suites are the files.
    ...suites.flatMap((suite) => specsOf(suite, suite.title === suite.file ? titles : [...titles, suite.title])),
  ];
}

/**
 * @param {any} report of Playwright's json reporter
 * @param {string} root the folder that names of files are relative to
 * @returns {Result}
 */
export function playwrightResult({ config, stats, suites }, root) {
  const folder = path.relative(root, config.rootDir);
  const all = specsOf({ suites }).flatMap(({ file, titles, tests }) =>
    tests.map(({ status, results }) => ({ name: [path.join(folder, file), ...titles].join(' › '), status, results })),
  );
  const flaky = all
    .filter(({ status }) => status === 'flaky')
    .map(({ name, results }) => ({ name, reason: beginningOf(results[0]?.error?.stack ?? results[0]?.error?.message) }));
  const slowest = slowestOf(
    all.map(({ name, results }) => ({ name, milliseconds: results.reduce((sum, { duration = 0 }) => sum + duration, 0) })),
  );
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, flaky, slowest };
}

/**
 * The times of all steps, with their numbers of tests, and the slowest tests, as `npm test` prints them.
 *
 * @param {{ title: string, milliseconds: number, tests: number }[]} steps
 * @param {TimedTest[]} slowest
 */
export function timeTable(steps, slowest) {
  const width = Math.max(...steps.map(({ title }) => title.length));
  const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`.padStart(9);
  const lines = steps.map(
    ({ title, milliseconds, tests }) => `  ${title.padEnd(width)}${seconds(milliseconds)}${tests > 0 ? `  ${tests} tests` : ''}`,
  );
  const whole = steps.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const slow = slowest.map(({ name, milliseconds }) => `${seconds(milliseconds)}  ${name}`);
  return [
    '',
    'Steps:',
    ...lines,
    `  ${'Together'.padEnd(width)}${seconds(whole)}`,
    ...(slow.length > 0 ? ['', 'Slowest tests:', ...slow] : []),
    '',
  ].join('\n');
}

/** The list of flaky tests as `npm test` prints it; nothing without any. */
export function flakyList(flaky) {
  const entries = flaky.map(({ name, reason }) => `  ${name}\n${reason.replace(/^/gm, '      ')}`);
  return entries.length === 0 ? '' : `\nFlaky:\n${entries.join('\n')}\n`;
}
