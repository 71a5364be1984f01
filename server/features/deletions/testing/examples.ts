import type { Examples } from '@/server/testing/examples';

export const examples: Examples = {
  rows: [`INSERT INTO deleted_records (identity_id, kind, record_id, data) VALUES ($1, 'customer', gen_random_uuid(), '{}')`],
  unaudited: ['deleted_records'],
};
