/** Deleted records, for queries of other features. */

export const deletedRecordSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM deleted_records r)';
