import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy that can stop forwarding without closing connections, like a failed-over address or a firewall that lost its
 * state.
 */
export interface FreezingProxy {
  /** The given URL through the proxy. */
  url: string;
  /** Stops existing connections permanently; `alsoNew`: new ones are accepted but get no response either. */
  freeze(options?: { alsoNew?: boolean }): void;
  /** New connections work again. */
  thaw(): void;
  /** Number of connections opened through it so far. */
  opened(): number;
  close(): Promise<void>;
}

export async function startFreezingProxy(target: string): Promise<FreezingProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ near: Socket; far: Socket | null }>();
  let takesNew = true;
  let opened = 0;
  const server = createServer((near) => {
    opened++;
    near.on('error', () => undefined);
    if (!takesNew) {
      pairs.add({ near, far: null });
      return;
    }
    const far = connect(Number(port), hostname);
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
    near.pipe(far);
    far.pipe(near);
    pairs.add({ near, far });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = new URL(target);
  own.port = String((server.address() as AddressInfo).port);
  return {
    url: own.href,
    freeze: ({ alsoNew = false } = {}) => {
      takesNew = !alsoNew;
      for (const { near, far } of pairs) {
        near.unpipe().removeAllListeners('close').pause();
        far?.unpipe().removeAllListeners('close').pause();
      }
    },
    thaw: () => {
      takesNew = true;
    },
    opened: () => opened,
    close: () => {
      for (const { near, far } of pairs) {
        near.destroy();
        far?.destroy();
      }
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
