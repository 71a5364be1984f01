import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A server that goes on with one line, bit by bit, and never ends it. */
export interface DrippingServer {
  port: number;
  /** Connections that are open. */
  open: ReadonlySet<Socket>;
  close(): Promise<unknown>;
}

export async function startDrippingServer(beginning: string): Promise<DrippingServer> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    const drip = setInterval(() => socket.write('.'), 20);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      open.delete(socket);
    });
    socket.resume();
    socket.write(beginning);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    open,
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
