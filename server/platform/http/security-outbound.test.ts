import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pictureMeasurement } from '@/server/features/blog/remote-picture.service';
import { pool } from '@/server/platform/db/pool';
import { publishPost } from '@/server/testing/blog';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { running } from '@/server/testing/jobs';

/**
 * No user-supplied text may make the server access its internal network. Which addresses are refused is tested with
 * guarded-fetch.
 */

withFreshDatabase();

const root = fileURLToPath(new URL('../../..', import.meta.url));

function filesBelow(directory: string): string[] {
  return readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const name = `${directory}/${entry.name}`;
    if (entry.isDirectory()) return /(^|\/)(testing|generated|node_modules)$/.test(name) ? [] : filesBelow(name);
    return /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name) ? [name] : [];
  });
}

/** Code that opens outgoing connections, and why users can't choose the destination. */
const reviewed: Record<string, string> = {
  'server/platform/fetch/guarded-connection.ts': 'the guard itself',
  'server/platform/fetch/guarded-fetch.ts': 'behind the guard',
  'server/platform/fetch/guarded-post.ts': 'behind the guard',
  'server/platform/fetch/provider-fetch.ts': 'the issuer, as the operator set it; other hosts behind the guard',
  'server/platform/files/s3-client.ts': 'the store of files, as the operator set it',
  'server/platform/http/shared-limiter.ts': 'Redis, as the operator set it',
  'server/platform/mail/inbound-certificate.ts': 'only checks the certificate for mail that comes in',
  'server/platform/mail/smtp-transport.ts': 'the mail server, as the operator set it, or behind the guard',
  'server/platform/mail/submission.ts': 'behind the guard',
};

/** Modules that open connections. Type imports have no effect at run time. */
const clients = [
  /^import (?!type)[^;]*from '(undici|ioredis|nodemailer|axios|got|ky|node-fetch|node:http2|node:dgram|node:tls|node:https)'/m,
  /^import (?!type)[^;]*\b(request|get|connect|createConnection|Socket)\b[^;]*from 'node:(http|net)'/m,
  /(?<![.\w])fetch\(/,
  /import\('(undici|nodemailer|ioredis|node:https?)'\)/,
];

describe('the server', () => {
  test('connects to elsewhere from these files only', () => {
    const files = filesBelow('server');
    expect(files.length).toBeGreaterThan(150);
    const connecting = files.filter((name) => {
      const source = readFileSync(path.join(root, name), 'utf8');
      return clients.some((client) => client.test(source));
    });
    const unknown = connecting.filter((name) => !(name in reviewed));
    expect(unknown, 'go through server/platform/fetch, or say in `reviewed` why not').toEqual([]);
    expect(connecting).toContain('server/platform/fetch/guarded-fetch.ts');
  });
});

describe('a post', () => {
  const asked: string[] = [];
  const inside = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('secret');
  });

  beforeAll(async () => {
    await once(inside.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => void inside.close());

  test('that names pictures inside of our network has none of them asked for', async () => {
    const { port } = inside.address() as AddressInfo;
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0', 'desk.localhost'];
    const addresses = hosts.map((host, index) => `http://${host}:${port}/picture-${index}.png`);
    const { actor } = await createTestIdentity();
    const { id } = await publishPost(actor, {
      content: [...addresses.map((address) => `![x](${address})`), `<img src="http://127.0.0.1:${port}/html.png">`].join('\n\n'),
      coverImageUrl: `http://127.0.0.1:${port}/cover.png`,
    });
    await pictureMeasurement.run(running({ postId: id }));
    expect(asked).toEqual([]);
    const { rows } = await pool().query('SELECT width FROM remote_pictures');
    // Each picture was recorded, but none was measured.
    expect(rows.length).toBeGreaterThanOrEqual(addresses.length);
    expect(rows.every(({ width }) => width === null)).toBe(true);
  });
});
