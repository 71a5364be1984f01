-- CreateEnum
CREATE TYPE "agent_status" AS ENUM ('active', 'paused', 'archived');

-- CreateEnum
CREATE TYPE "usage_type" AS ENUM ('token_usage', 'agent_execution');

-- CreateEnum
CREATE TYPE "execution_outcome" AS ENUM ('active', 'completed', 'failed', 'cancelled', 'escalated');

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,
    "status" "agent_status" NOT NULL DEFAULT 'active',
    "avatar_url" TEXT NOT NULL DEFAULT '',
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "persona" JSONB NOT NULL DEFAULT '{}',
    "setup" JSONB NOT NULL,
    "name_key" TEXT NOT NULL DEFAULT '',
    "search_key" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3),
    "routes_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "escalation_routes" (
    "agent_id" UUID NOT NULL,
    "level" INTEGER NOT NULL,
    "label" TEXT,
    "instructions" TEXT,
    "timeout_mins" INTEGER NOT NULL,
    "to_role" TEXT,
    "to_user_id" TEXT,
    "channels" TEXT[],
    "email" TEXT,
    "phone" TEXT,
    "slack" TEXT,

    CONSTRAINT "escalation_routes_pkey" PRIMARY KEY ("agent_id","level")
);

-- CreateTable
CREATE TABLE "usage_records" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "type" "usage_type" NOT NULL,
    "event_id" TEXT,
    "prompt_tokens" BIGINT,
    "completion_tokens" BIGINT,
    "total_tokens" BIGINT,
    "model" TEXT,
    "provider" TEXT,
    "usage_type" TEXT,
    "operation" TEXT,
    "agent_id" TEXT,
    "conversation_id" TEXT,
    "task_id" TEXT,
    "message_id" TEXT,
    "status" TEXT,
    "outcome" "execution_outcome",
    "result" JSONB,
    "metadata" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "usage_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage_months" (
    "identity_id" UUID NOT NULL,
    "month" DATE NOT NULL,
    "shard" UUID NOT NULL,
    "tokens" DECIMAL(40,0) NOT NULL,
    "executions" BIGINT NOT NULL,

    CONSTRAINT "usage_months_pkey" PRIMARY KEY ("identity_id","month","shard")
);

-- CreateTable
CREATE TABLE "usage_days" (
    "identity_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "slice" UUID NOT NULL,
    "shard" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "tokens" DECIMAL(40,0) NOT NULL,
    "executions" BIGINT NOT NULL,

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("identity_id","day","slice","shard")
);

-- CreateTable
CREATE TABLE "agent_activity" (
    "identity_id" UUID NOT NULL,
    "agent_id" TEXT NOT NULL,
    "shard" UUID NOT NULL,
    "actions" BIGINT NOT NULL,
    "active" BIGINT NOT NULL,
    "completed" BIGINT NOT NULL,
    "failed" BIGINT NOT NULL,
    "cancelled" BIGINT NOT NULL,
    "escalations" BIGINT NOT NULL,
    "minutes_saved" DOUBLE PRECISION NOT NULL,
    "last_active_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "agent_activity_pkey" PRIMARY KEY ("identity_id","agent_id","shard")
);

-- CreateTable
CREATE TABLE "tracked_tasks" (
    "identity_id" UUID NOT NULL,
    "task_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "outcome" "execution_outcome" NOT NULL,
    "minutes_saved" DOUBLE PRECISION NOT NULL,
    "previous_outcome" "execution_outcome",
    "previous_minutes_saved" DOUBLE PRECISION,

    CONSTRAINT "tracked_tasks_pkey" PRIMARY KEY ("identity_id","task_id","agent_id")
);

-- CreateIndex
CREATE INDEX "agents_identity_id_name_key_id_idx" ON "agents"("identity_id", "name_key", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agents_identity_id_id_key" ON "agents"("identity_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agents_identity_id_role_id_key" ON "agents"("identity_id", "role_id");

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "escalation_routes" ADD CONSTRAINT "escalation_routes_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What follows can't be said in the Prisma schema.

ALTER TABLE "agents" ALTER COLUMN "tags" SET NOT NULL;
ALTER TABLE "escalation_routes" ALTER COLUMN "channels" SET NOT NULL;

-- The copies that search and order go by. Whoever writes an agent, they follow.
CREATE FUNCTION "set_agent_keys"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."name_key" := lower(NEW."name");
  NEW."search_key" := lower(NEW."name" || E'\n' || NEW."kind" || E'\n' || NEW."role_id");
  RETURN NEW;
END $$;

CREATE TRIGGER "agents_keys" BEFORE INSERT OR UPDATE OF "name", "kind", "role_id", "name_key", "search_key" ON "agents"
  FOR EACH ROW EXECUTE FUNCTION "set_agent_keys"();

ALTER TABLE "escalation_routes"
  ADD CONSTRAINT "escalation_routes_level_check" CHECK ("level" >= 0),
  ADD CONSTRAINT "escalation_routes_timeout_check" CHECK ("timeout_mins" BETWEEN 1 AND 10080),
  ADD CONSTRAINT "escalation_routes_channels_check" CHECK ("channels" <@ ARRAY['email', 'sms', 'slack', 'in_app']),
  ADD CONSTRAINT "escalation_routes_contact_check"
    CHECK (("phone" IS NOT NULL OR NOT 'sms' = ANY("channels")) AND ("slack" IS NOT NULL OR NOT 'slack' = ANY("channels")));

-- Kind and role are compared in lower case without a copy, since they have no other letters.
ALTER TABLE "agents" ADD CONSTRAINT "agents_lower_case_check" CHECK ("kind" = lower("kind") AND "role_id" = lower("role_id"));

CREATE INDEX "agents_search_idx" ON "agents" USING gin ("identity_id", "search_key" gin_trgm_ops);

-- Every identity has an agent from the start; those that are older than agents get theirs here.
INSERT INTO "agents" ("id", "identity_id", "name", "kind", "role_id", "persona", "setup")
  SELECT gen_random_uuid(), "id", 'Inbox manager', 'inbox-manager', 'inbox-manager',
    '{"tone": "Friendly and to the point", "traits": ["helpful", "precise"], "bio": "", "signature": "Best regards\nInbox manager"}',
    '{"tools": {"email": {"enabled": true}, "calendar": {"enabled": false}}, "context": {"enabled": true, "namespace": "inbox-manager"}, "workflow": {"triggers": ["email.received"], "mode": "draft"}, "model": {"provider": "anthropic", "name": "claude-sonnet", "temperature": 0.3, "maxTokens": 2048}}'
  FROM "identities";

-- An event counts once, however often it is reported; records without an event id cost the index nothing.
CREATE UNIQUE INDEX "usage_records_event_key" ON "usage_records" ("identity_id", "event_id") WHERE "event_id" IS NOT NULL;

-- The executions of an agent, newest first.
CREATE INDEX "usage_records_executions_idx" ON "usage_records" ("identity_id", "agent_id", "id") WHERE "outcome" IS NOT NULL;

ALTER TABLE "usage_records"
  ADD CONSTRAINT "usage_records_type_check" CHECK (("type" = 'token_usage' AND "total_tokens" >= 0 AND "outcome" IS NULL)
    OR ("type" = 'agent_execution' AND "agent_id" IS NOT NULL AND "status" IS NOT NULL AND "outcome" IS NOT NULL));

-- Rows of sums are rewritten all the time: with room on their page, no index has to follow.
ALTER TABLE "usage_months" SET (fillfactor = 50);
ALTER TABLE "usage_days" SET (fillfactor = 70);
ALTER TABLE "agent_activity" SET (fillfactor = 50);
ALTER TABLE "tracked_tasks" SET (fillfactor = 80);
