import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { testCertificates } from '../../testing/certificates';
import { overrideEnv, parseEnv } from '../env';
import { log } from '../log';
import { setForProcess } from '../process-globals';
import { readInboundCertificate } from './inbound-certificate';

let folder = '';
const file = (name: string) => path.join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'certificates-'));
  const { first, otherKey } = testCertificates;
  writeFileSync(file('good.pem'), first.cert);
  writeFileSync(file('good.key'), first.key);
  writeFileSync(file('other.key'), otherKey);
  const locked = createPrivateKey(first.key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'secret',
  });
  writeFileSync(file('locked.key'), locked);
  writeFileSync(file('text'), 'not a certificate\n');
  writeFileSync(file('empty'), '');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

afterEach(() => void vi.useRealTimers());

beforeEach(() => setForProcess('env', parseEnv({ NODE_ENV: 'test', LOG_LEVEL: 'silent' })));

const set = (cert: string, key: string) => overrideEnv({ INBOUND_TLS_CERT: file(cert), INBOUND_TLS_KEY: file(key) });

test('a certificate and its key are taken', () => {
  expect(readInboundCertificate()).toBeNull();
  set('good.pem', 'good.key');
  expect(readInboundCertificate()?.cert.toString()).toContain('BEGIN CERTIFICATE');
});

test.each([
  ['none.pem', 'good.key', /^INBOUND_TLS_CERT: can't read .*none\.pem \(ENOENT\)\.$/],
  ['good.pem', 'none.key', /^INBOUND_TLS_KEY: can't read .*none\.key \(ENOENT\)\.$/],
  ['good.pem', '.', /^INBOUND_TLS_KEY: can't read .* \(EISDIR\)\.$/],
  ['text', 'good.key', /^INBOUND_TLS_CERT: .*text does not hold a certificate in PEM form\.$/],
  ['empty', 'good.key', /^INBOUND_TLS_CERT: .*empty does not hold a certificate in PEM form\.$/],
  ['good.key', 'good.pem', /^INBOUND_TLS_CERT: .*good\.key does not hold a certificate in PEM form\.$/],
  ['good.pem', 'text', /^INBOUND_TLS_KEY: .*text does not hold a private key in PEM form without a passphrase\.$/],
  ['good.pem', 'locked.key', /^INBOUND_TLS_KEY: .*locked\.key does not hold a private key in PEM form without a passphrase\.$/],
  [
    'good.pem',
    'other.key',
    /^INBOUND_TLS_CERT and INBOUND_TLS_KEY do not belong together: .*other\.key is not the key of .*good\.pem\.$/,
  ],
])('%s with %s is refused in one line that names the setting', (cert, key, line) => {
  set(cert, key);
  expect(readInboundCertificate).toThrow(line);
});

test('one that has expired is used, and the log says so', () => {
  const warn = vi.spyOn(log(), 'warn');
  set('good.pem', 'good.key');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 101 * 365 * 24 * 3_600_000 });
  expect(readInboundCertificate()).not.toBeNull();
  expect(warn).toHaveBeenCalledWith(expect.objectContaining({ file: file('good.pem') }), expect.stringContaining('expired'));
});
