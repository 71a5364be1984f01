import type { Examples } from '@/server/testing/examples';

export const examples: Examples = { withoutRecords: ['data.get'] };
