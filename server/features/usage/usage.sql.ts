/** Executions of agents, for queries of other features. */

export const usageRecords = '(SELECT id, identity_id, agent_id, task_id, outcome, created_at FROM usage_records)';

export const agentActivity = '(SELECT identity_id, agent_id, active, failed, last_active_at FROM agent_activity)';

export const usageSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM usage_records r)';

export const taskSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM tracked_tasks r)';
