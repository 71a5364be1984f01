import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';

/**
 * The queue's listening connection is otherwise silent, so its death would go unnoticed: jobs would be found late, by polling,
 * and its slot in the pool would be lost. A periodic statement detects this (see silent-connections.ts); the queue then replaces the
 * connection.
 */
export function keepListenerAlive(events: WorkerEvents, interval = 10_000): void {
  const timers = new Map<pg.ClientBase, NodeJS.Timeout>();
  const stop = (client: pg.ClientBase) => {
    clearInterval(timers.get(client));
    timers.delete(client);
  };
  events.on('pool:listen:success', ({ client }) => {
    let isWaiting = false;
    const sendStatement = async () => {
      if (isWaiting) return;
      isWaiting = true;
      await client.query('SELECT 1').catch(() => stop(client));
      isWaiting = false;
    };
    timers.set(client, setInterval(() => void sendStatement(), interval).unref());
  });
  events.on('pool:listen:release', ({ client }) => stop(client));
}
