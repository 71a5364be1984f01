-- The executions of an agent, newest first. By their time and not by their id, which another server's clock may have made.
CREATE INDEX "usage_records_executions_by_time_idx" ON "usage_records" ("identity_id", "agent_id", "created_at", "id")
  WHERE "outcome" IS NOT NULL;
DROP INDEX "usage_records_executions_idx";
