import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems hand to connections that go out: from 32768 on Linux, from 49152 elsewhere (RFC 6335, section 6). */
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
 * A TCP port of this machine that nobody listens on, and that no connection which goes out is given. So a server that is started again gets
 * it again, and who connects while there is no server is not connected to itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port between ${lowest} and ${highest} is free.`);
}
