import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral ports for outgoing connections: from 32768 on Linux, from 49152 elsewhere (RFC 6335, section 6). */
const [lowest, highest] = [20_000, 32_000];
const attempts = 200;

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/**
 * A free TCP port of this machine that is not an ephemeral port. A restarted server gets the same port again, and a client that
 * connects while the server is down does not connect to itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${lowest} and ${highest} is free.`);
}
