import { expect, test } from 'vitest';
import { flakyList, playwrightResult, timeTable, vitestResult } from './test-report.mjs';

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
            duration: 20,
            failureMessages: ['Error: \u001b[31mlost\u001b[39m\n    at a.ts:1'],
          },
          { status: 'passed', ancestorTitles: [], title: 'once', duration: 30.5, failureMessages: [] },
          { status: 'failed', ancestorTitles: [], title: 'never', failureMessages: ['Error: gone', 'Error: gone'] },
        ],
      },
    ],
  };
  const flaky = [{ name: 'server/a.test.ts › outer › twice', reason: 'Error: lost\n    at a.ts:1' }];
  const slowest = [
    { name: 'server/a.test.ts › once', milliseconds: 30.5 },
    { name: 'server/a.test.ts › outer › twice', milliseconds: 20 },
    { name: 'server/a.test.ts › never', milliseconds: 0 },
  ];
  expect(vitestResult(report, '/work')).toEqual({ passed: 2, failed: 1, flaky, slowest });
});

test('end-to-end tests that passed when tried again count as passed and are named with the first failure', () => {
  const spec = (title: string, status: string, duration = 1) => ({
    title,
    file: 'rest/a.spec.ts',
    tests: [{ status, results: [{ error: { message: 'Error: lost' }, duration: 1 }, { duration }] }],
  });
  const report = {
    config: { rootDir: '/work/e2e' },
    stats: { expected: 3, unexpected: 1, flaky: 2 },
    suites: [
      {
        title: 'rest/a.spec.ts',
        file: 'rest/a.spec.ts',
        specs: [spec('top', 'flaky', 5), spec('fine', 'expected', 3)],
        suites: [{ title: 'outer', file: 'rest/a.spec.ts', specs: [spec('inner', 'flaky', 9), spec('red', 'unexpected')] }],
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
    slowest: [
      { name: 'e2e/rest/a.spec.ts › outer › inner', milliseconds: 10 },
      { name: 'e2e/rest/a.spec.ts › top', milliseconds: 6 },
      { name: 'e2e/rest/a.spec.ts › fine', milliseconds: 4 },
      { name: 'e2e/rest/a.spec.ts › outer › red', milliseconds: 2 },
    ],
  });
});

test('flaky tests are listed with their reasons, or not at all', () => {
  expect(flakyList([])).toBe('');
  expect(flakyList([{ name: 'a › b', reason: 'Error: lost\n  at a' }])).toBe(
    '\nFlaky:\n  a › b\n      Error: lost\n        at a\n',
  );
});

test('the times of steps and of the slowest tests are a table', () => {
  const steps = [
    { title: 'Types', milliseconds: 34_060, tests: 0 },
    { title: 'Unit tests', milliseconds: 283_000, tests: 6_449 },
  ];
  expect(timeTable(steps, [{ name: 'a › b', milliseconds: 12_340 }]).split('\n')).toEqual([
    '',
    'Steps:',
    '  Types        34.1 s',
    '  Unit tests  283.0 s  6449 tests',
    '  Together    317.1 s',
    '',
    'Slowest tests:',
    '   12.3 s  a › b',
    '',
  ]);
});
