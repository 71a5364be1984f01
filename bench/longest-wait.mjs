import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/* Asks a server for a page again and again, in a thread of its own; answers a message with the longest wait since the one before. */

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let longest = 0;

parentPort.on('message', () => {
  parentPort.postMessage(longest);
  longest = 0;
});

for (;;) {
  const startedAt = performance.now();
  const [response] = await once(get(workerData, { agent }), 'response');
  response.resume();
  await once(response, 'end');
  longest = Math.max(longest, performance.now() - startedAt);
  await pause(2);
}
