import pino from 'pino';
import { beforeEach, expect, test, vi } from 'vitest';
import { log, logRequest } from './log';
import { takeFromProcess } from './process-globals';

let lines: string[];

function openLog(level: string): void {
  lines = [];
  vi.stubEnv('LOG_LEVEL', level);
  for (const name of ['env', 'log']) takeFromProcess(name);
  const destination = { write: (line: string) => lines.push(line), on: () => undefined };
  vi.spyOn(pino, 'destination').mockReturnValue(destination as never);
}

beforeEach(() => openLog('info'));

const line = { requestId: 'r-"1', ownRequestId: undefined, method: 'GET', path: '/a\n"b\u2028', status: 200, ms: 1.5 };

test('the line of a request is that of the log, whatever is in its path', () => {
  logRequest(line);
  log().info(line, 'request');
  const [own, pinos] = lines.map((text) => ({ ...JSON.parse(text), time: undefined }));
  expect(own).toEqual(pinos);
  expect(lines[0]).toMatch(/^\{"level":30,"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","pid":\d+,[^\n]*\}\n$/);
});

test('it is left out where the log has only warnings', () => {
  openLog('warn');
  logRequest(line);
  expect(lines).toEqual([]);
});
