import { feature } from '@/server/platform/feature';
import { alignEventClock, removeOldEvents } from './event-jobs.service';
import { listenForEvents, stopWaiting } from './event-signals.service';

export const events = feature({
  name: 'events',
  removals: [removeOldEvents],
  // Every event goes to the webhooks that want it, in the statement that adds it.
  tables: [{ names: ['event_log', 'object_versions', 'event_clock'], sharedWith: ['features/accounts'] }],
  prepare: async () => {
    await alignEventClock();
    return listenForEvents();
  },
  drain: stopWaiting,
});
