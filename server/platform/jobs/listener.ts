import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';

/**
 * The queue's listening connection sends nothing once it listens, so its silent death would go unnoticed: jobs would still be found by
 * polling, but late, and its place in the pool would be lost. A statement now and then shows whether it is alive (see silence.ts); the
 * queue replaces one that is lost.
 */
export function keepListenerAlive(events: WorkerEvents, interval = 10_000): void {
  const beats = new Map<pg.ClientBase, NodeJS.Timeout>();
  const stop = (client: pg.ClientBase) => {
    clearInterval(beats.get(client));
    beats.delete(client);
  };
  events.on('pool:listen:success', ({ client }) => {
    let isWaiting = false;
    const beat = async () => {
      if (isWaiting) return;
      isWaiting = true;
      await client.query('SELECT 1').catch(() => stop(client));
      isWaiting = false;
    };
    beats.set(client, setInterval(() => void beat(), interval).unref());
  });
  events.on('pool:listen:release', ({ client }) => stop(client));
}
