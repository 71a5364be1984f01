/** Deliveries of webhooks, for queries of other features. */

export const deliverySizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM webhook_deliveries r)';
