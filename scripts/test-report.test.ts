import { expect, test } from 'vitest';
import { flakyList, playwrightResult, vitestResult } from './test-report.mjs';

test('unit tests that passed when tried again count as passed and are named with the first failure', () => {
  const report = {
    numPassedTests: 2,
    numFailedTests: 1,
    testResults: [
      {
        name: '/work/server/a.test.ts',
        assertionResults: [
          {
            status: 'passed',
            ancestorTitles: ['outer'],
            title: 'twice',
            failureMessages: ['Error: \u001b[31mlost\u001b[39m\n    at a.ts:1'],
          },
          { status: 'passed', ancestorTitles: [], title: 'once', failureMessages: [] },
          { status: 'failed', ancestorTitles: [], title: 'never', failureMessages: ['Error: gone', 'Error: gone'] },
        ],
      },
    ],
  };
  const flaky = [{ name: 'server/a.test.ts › outer › twice', reason: 'Error: lost\n    at a.ts:1' }];
  expect(vitestResult(report, '/work')).toEqual({ passed: 2, failed: 1, flaky });
});

test('end-to-end tests that passed when tried again count as passed and are named with the first failure', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'rest/a.spec.ts',
    tests: [{ status, results: [{ error: { message: 'Error: lost' } }, {}] }],
  });
  const report = {
    config: { rootDir: '/work/e2e' },
    stats: { expected: 3, unexpected: 1, flaky: 2 },
    suites: [
      {
        title: 'rest/a.spec.ts',
        file: 'rest/a.spec.ts',
        specs: [spec('top', 'flaky'), spec('fine', 'expected')],
        suites: [{ title: 'outer', file: 'rest/a.spec.ts', specs: [spec('inner', 'flaky'), spec('red', 'unexpected')] }],
      },
    ],
  };
  expect(playwrightResult(report, '/work')).toEqual({
    passed: 5,
    failed: 1,
    flaky: [
      { name: 'e2e/rest/a.spec.ts › top', reason: 'Error: lost' },
      { name: 'e2e/rest/a.spec.ts › outer › inner', reason: 'Error: lost' },
    ],
  });
});

test('flaky tests are listed with their reasons, or not at all', () => {
  expect(flakyList([])).toBe('');
  expect(flakyList([{ name: 'a › b', reason: 'Error: lost\n  at a' }])).toBe(
    '\nFlaky:\n  a › b\n      Error: lost\n        at a\n',
  );
});
