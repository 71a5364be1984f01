/** Executions of agents, for queries of other features. */

export const usageRecords = '(SELECT id, identity_id, agent_id, task_id, outcome, created_at FROM usage_records)';

export const agentActivity = '(SELECT identity_id, agent_id, active, failed, last_active_at FROM agent_activity)';
