import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseEnv } from './env';
import { AppError } from './errors';
import { log } from './log';
import { logFailure, logOutage } from './outage-log';
import { setForProcess, takeFromProcess } from './process-globals';

beforeEach(() => {
  setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' }));
  takeFromProcess('outages');
});

afterEach(() => {
  vi.restoreAllMocks();
});

const lost = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' });
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

test('an outage is a warning, once a minute and cause, with the number of those left out', () => {
  const [warn, error] = [vi.spyOn(log(), 'warn'), vi.spyOn(log(), 'error')];
  const now = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  for (let request = 0; request < 1_000; request++) logFailure(lost(), { requestId: String(request) }, 'request failed');
  for (let request = 0; request < 1_000; request++) logFailure(full(), {}, 'request failed');
  expect(warn.mock.calls.map(([fields]) => (fields as { err: Error }).err.message)).toEqual([lost().message, full().message]);
  now.mockReturnValue(62_000);
  logFailure(lost(), { requestId: 'next' }, 'request failed');
  logFailure(lost(), {}, 'request failed');
  expect(warn).toHaveBeenCalledTimes(3);
  expect(warn).toHaveBeenLastCalledWith({ err: lost(), requestId: 'next', suppressed: 999 }, 'request failed');
  expect(error).not.toHaveBeenCalled();
});

test('causes other than those of requests have their own minute', () => {
  const warn = vi.spyOn(log(), 'warn');
  for (const cause of ['redis', 'proxy', 'redis']) logOutage(cause, {}, cause);
  expect(warn.mock.calls.map(([, message]) => message)).toEqual(['redis', 'proxy']);
});

test('a fault of ours is an error, every time', () => {
  const [warn, error] = [vi.spyOn(log(), 'warn'), vi.spyOn(log(), 'error')];
  const fault = new TypeError('undefined is not a function');
  logFailure(fault, { requestId: '1' }, 'request failed');
  logFailure(fault, { requestId: '2' }, 'request failed', new AppError('internal_error', 'x'));
  expect(error.mock.calls).toEqual([
    [{ err: fault, requestId: '1' }, 'request failed'],
    [{ err: fault, requestId: '2' }, 'request failed'],
  ]);
  expect(warn).not.toHaveBeenCalled();
});
