import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AwsV4Signer } from 'aws4fetch';
import { parseEnv } from '@/server/platform/env';
import type { ObjectStoreSettings } from '@/server/platform/files/files-url';
import { kill } from './child-process';
import { findProgram } from './program';

/** A program of OpenStack Swift, which has an S3 API (package `swift` of Debian); null if it is not installed. */
export const swiftServer = findProgram('swift-ring-builder');

/** The Python that Swift is installed for. */
function pythonOfSwift(): string {
  const [, python = ''] = /^#!\s*(\S+)/.exec(readFileSync(swiftServer ?? '', 'utf8')) ?? [];
  return python;
}

const [accessKey, secret] = ['test:tester', 'a/secret+of=tests'];

/** A real S3 server with an empty bucket. */
export interface TestObjectStore {
  /** For FILES_URL. */
  url: string;
  settings: ObjectStoreSettings;
  /** Sends a signed request for a key of the bucket. */
  send(method: string, key: string, options?: { body?: string; headers?: Record<string, string> }): Promise<Response>;
  /** Stores an object as if some time ago. */
  putOld(key: string, body: string, milliseconds: number): Promise<void>;
  /** The URL of an empty prefix, for tests that share the server. */
  freshUrl(): string;
  close(): Promise<void>;
}

/** Starts a Swift in a folder of its own; takes about three seconds. */
export async function startObjectStore(): Promise<TestObjectStore> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'swift-'));
  const script = path.resolve('server/testing/swift-s3.py');
  const child = spawn(pythonOfSwift(), [script, folder, accessKey, secret], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [first] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [unknown];
  if (!Buffer.isBuffer(first)) throw new Error('Swift did not start.');
  const endpoint = `http://127.0.0.1:${String(first).trim()}`;
  const urlOf = (prefix: string) =>
    `${endpoint.replace('http://', `s3://${encodeURIComponent(accessKey)}:${encodeURIComponent(secret)}@`)}/desk${prefix}?tls=off`;
  const send: TestObjectStore['send'] = async (method, key, { body, headers } = {}) => {
    const url = `${endpoint}/desk${key && `/${key}`}`;
    const signer = new AwsV4Signer({
      ...{ method, url, body, headers, accessKeyId: accessKey, secretAccessKey: secret, service: 's3', region: 'us-east-1' },
    });
    const signed = await signer.sign();
    return fetch(signed.url, { method, headers: signed.headers, body });
  };
  await send('PUT', '');
  return {
    url: urlOf(''),
    settings: settingsOf(urlOf('')),
    send,
    putOld: async (key, body, milliseconds) => {
      const storedAt = ((Date.now() - milliseconds) / 1000).toFixed(5);
      const { status } = await send('PUT', key, { body, headers: { 'x-amz-meta-stored-at': storedAt } });
      if (status !== 200) throw new Error(`${key} was not stored: ${status}`);
    },
    freshUrl: () => urlOf(`/${randomUUID()}`),
    close: async () => {
      await kill(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The settings of a FILES_URL. */
export function settingsOf(url: string): ObjectStoreSettings {
  const { FILES_URL } = parseEnv({ FILES_URL: url });
  if (!FILES_URL) throw new Error('there is no FILES_URL');
  return FILES_URL;
}
