import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { log } from '@/server/platform/log';

/** Timeouts in milliseconds; tests use shorter ones. */
export interface ClosingTimes {
  /** How long an idle connection stays open while the server closes, so that a request in transit is answered. */
  idle: number;
  /** For running requests once no new connections are accepted; then their sockets are destroyed. */
  requests: number;
  /** For the handlers of destroyed sockets to finish. */
  handlers: number;
}

const defaultTimes: ClosingTimes = { idle: 500, requests: 10_000, handlers: 5_000 };
/** How often connections are checked while the server closes. */
const sweepInterval = 50;

/** Tracks a server's connections and requests, for a graceful stop. */
export interface Connections {
  /** True once the server is about to stop. */
  readonly isDraining: boolean;
  /** Runs a request handler; `close` waits for it, even if its client disconnected. */
  handle(request: IncomingMessage, response: ServerResponse, work: () => Promise<void>): Promise<void>;
  /** Ends each connection after its response from now on (`Connection: close`), so that clients move to another server. */
  drain(): void;
  /**
   * Drains for `drainTime` milliseconds while still accepting connections, then stops accepting. Resolves when all work is
   * done.
   */
  close(drainTime: number): Promise<void>;
}

interface Connection {
  /** Responses not sent yet, in order. */
  open: ServerResponse[];
  bytesRead: number;
  /** Since when it has been idle (no bytes sent, no request running), by `performance.now()`. */
  idleSince: number;
}

export function trackConnections(server: Server, changes: Partial<ClosingTimes> = {}): Connections {
  const times = { ...defaultTimes, ...changes };
  const connections = new Map<Socket, Connection>();
  let running = 0;
  let isDraining = false;
  let changed: () => void = () => undefined;

  server.on('connection', (socket: Socket) => {
    connections.set(socket, { open: [], bytesRead: 0, idleSince: performance.now() });
    socket.once('close', () => {
      connections.delete(socket);
      changed();
    });
  });

  /** Only the last response of a connection may end it; one with another queued (pipelining) must not. */
  function announceEnd({ open }: Connection): void {
    open.forEach((response, index) => {
      if (!response.headersSent) response.shouldKeepAlive = index < open.length - 1;
    });
  }

  function drain(): void {
    if (isDraining) return;
    isDraining = true;
    for (const connection of connections.values()) announceEnd(connection);
  }

  function track(socket: Socket, response: ServerResponse): void {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.open.push(response);
    if (isDraining) announceEnd(connection);
    response.once('close', () => {
      connection.open.splice(connection.open.indexOf(response), 1);
      connection.idleSince = performance.now();
    });
  }

  async function handle(request: IncomingMessage, response: ServerResponse, work: () => Promise<void>): Promise<void> {
    track(request.socket, response);
    running++;
    try {
      await work();
    } finally {
      running--;
      changed();
    }
  }

  /** Ends connections that have been idle for a while; one that is receiving a request is not idle. */
  function sweep(since: number): void {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      if (socket.bytesRead !== connection.bytesRead) {
        connection.bytesRead = socket.bytesRead;
        connection.idleSince = now;
      }
      const idleSince = Math.max(since, connection.idleSince);
      if (connection.open.length === 0 && now - idleSince >= times.idle) socket.destroy();
    }
  }

  /**
   * Resolves once `isOver`, which is evaluated at each change, or after `patience` milliseconds. @returns whether it was over
   */
  async function until(isOver: () => boolean, timeout: number): Promise<boolean> {
    const patienceEnds = new AbortController();
    const over = new Promise<void>((resolve) => {
      changed = () => isOver() && resolve();
      changed();
    });
    await Promise.race([over, delay(timeout, undefined, { signal: patienceEnds.signal }).catch(() => undefined)]);
    patienceEnds.abort();
    return isOver();
  }

  async function close(drainTime: number): Promise<void> {
    drain();
    if (drainTime > 0) await delay(drainTime);
    const stopsAt = performance.now();
    // The HTTP server's own `close` ends idle connections immediately, even if a request is in transit.
    NetServer.prototype.close.call(server);
    const sweeping = setInterval(() => sweep(stopsAt), sweepInterval);
    const ended = await until(() => connections.size === 0, times.requests);
    clearInterval(sweeping);
    if (!ended) log().warn({ connections: connections.size }, 'requests that did not end in time were cut off');
    for (const socket of connections.keys()) socket.destroy();
    if (await until(() => running === 0 && connections.size === 0, times.handlers)) return;
    log().warn({ handlers: running }, 'handlers that did not end in time were left');
  }

  return {
    get isDraining() {
      return isDraining;
    },
    handle,
    drain,
    close,
  };
}
