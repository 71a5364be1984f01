import type { Examples } from '@/server/testing/examples';

export const examples: Examples = {
  unaudited: ['event_clock', 'event_log', 'object_versions'],
  reference: ['event_clock'],
};
