/** The event log, for queries of other features. */

export const eventLog = '(SELECT identity_id, position, seq, id, type, created_at FROM event_log)';

export const eventLogSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM event_log r)';
