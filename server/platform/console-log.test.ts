import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logConsole } from './console-log';
import { parseEnv } from './env';
import { log } from './log';
import { setForProcess } from './process-globals';

const libraries = console;
const { error, warn } = libraries;

beforeEach(() => {
  setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }));
  logConsole();
});

afterEach(() => {
  Object.assign(libraries, { error, warn });
  vi.restoreAllMocks();
});

test('what libraries write to the console is in the log, but for pages that failed, which are logged already', () => {
  const [logged, warned] = [vi.spyOn(log(), 'error'), vi.spyOn(log(), 'warn')];
  const fault = new Error('broken');
  libraries.error('could not', fault);
  libraries.warn('an option is deprecated');
  libraries.error('⨯', Object.assign(new Error('a page'), { digest: '123' }));
  expect(logged.mock.calls).toEqual([[{ err: fault }, 'could not']]);
  expect(warned.mock.calls).toEqual([[{}, 'an option is deprecated']]);
});
