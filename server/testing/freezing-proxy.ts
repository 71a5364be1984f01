import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can stop forwarding without closing anything, as a failed-over address or a forgetful firewall does. */
export interface FreezingProxy {
  /** The URL given, by way of the proxy. */
  url: string;
  /** Nothing passes on the connections there are, for good; `alsoNew`: new ones are taken and get no answer either. */
  freeze(options?: { alsoNew?: boolean }): void;
  /** New connections work again. */
  thaw(): void;
  /** Connections that were opened through it so far. */
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
