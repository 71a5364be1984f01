import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** What the JSON reports of the test runners say: counts, and tests that passed only when they were tried again. */

/**
 * @typedef {{ name: string, reason: string }} FlakyTest with `file › title` and the beginning of what its first try failed with
 * @typedef {{ passed: number, failed: number, flaky: FlakyTest[] }} Result flaky tests count as passed
 */

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
  const flaky = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ ancestorTitles, title, failureMessages }) => ({
        name: [path.relative(root, name), ...ancestorTitles, title].join(' › '),
        reason: beginningOf(failureMessages[0]),
      })),
  );
  return { passed: numPassedTests, failed: numFailedTests, flaky };
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
  const flaky = specsOf({ suites }).flatMap(({ file, titles, tests }) =>
    tests
      .filter(({ status }) => status === 'flaky')
      .map(({ results }) => ({
        name: [path.join(folder, file), ...titles].join(' › '),
        reason: beginningOf(results[0]?.error?.stack ?? results[0]?.error?.message),
      })),
  );
  return { passed: stats.expected + stats.flaky, failed: stats.unexpected, flaky };
}

/** The list of flaky tests as `npm test` prints it; nothing without any. */
export function flakyList(flaky) {
  const entries = flaky.map(({ name, reason }) => `  ${name}\n${reason.replace(/^/gm, '      ')}`);
  return entries.length === 0 ? '' : `\nFlaky:\n${entries.join('\n')}\n`;
}
