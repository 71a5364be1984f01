-- CreateEnum
CREATE TYPE "conversation_status" AS ENUM ('pending', 'processing', 'waiting_human', 'waiting_customer', 'completed', 'failed');

-- CreateEnum
CREATE TYPE "message_direction" AS ENUM ('inbound', 'outbound');

-- CreateEnum
CREATE TYPE "message_status" AS ENUM ('received', 'queued', 'sent', 'failed');

-- CreateEnum
CREATE TYPE "participant_role" AS ENUM ('from', 'to', 'cc', 'bcc');

-- CreateEnum
CREATE TYPE "outbox_state" AS ENUM ('queued', 'sending', 'sent', 'failed');

-- CreateTable
CREATE TABLE "conversations" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "channel" TEXT NOT NULL DEFAULT 'email',
    "preview" TEXT NOT NULL,
    "status" "conversation_status" NOT NULL DEFAULT 'pending',
    "is_read" BOOLEAN NOT NULL DEFAULT false,
    "is_archived" BOOLEAN NOT NULL DEFAULT false,
    "is_spam" BOOLEAN NOT NULL DEFAULT false,
    "last_message_at" TIMESTAMPTZ(3) NOT NULL,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "origin_address" TEXT,
    "counterpart_email" TEXT NOT NULL,
    "counterpart_name" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "merged_conversations" (
    "identity_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,

    CONSTRAINT "merged_conversations_pkey" PRIMARY KEY ("identity_id","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "direction" "message_direction" NOT NULL,
    "status" "message_status" NOT NULL,
    "from_email" TEXT NOT NULL,
    "from_name" TEXT,
    "to" JSONB NOT NULL DEFAULT '[]',
    "cc" JSONB NOT NULL DEFAULT '[]',
    "bcc" JSONB NOT NULL DEFAULT '[]',
    "reply_to" JSONB NOT NULL DEFAULT '[]',
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT,
    "preview" TEXT NOT NULL,
    "message_id_header" TEXT NOT NULL,
    "in_reply_to" TEXT,
    "references" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "thread_keys" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "agent_id" UUID,
    "is_read" BOOLEAN NOT NULL DEFAULT false,
    "is_auto_reply" BOOLEAN NOT NULL DEFAULT false,
    "attachment_count" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversation_participants" (
    "conversation_id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "participant_role" NOT NULL,
    "display_name" TEXT,

    CONSTRAINT "conversation_participants_pkey" PRIMARY KEY ("conversation_id","email")
);

-- CreateTable
CREATE TABLE "conversation_agents" (
    "conversation_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_agents_pkey" PRIMARY KEY ("conversation_id","agent_id")
);

-- CreateTable
CREATE TABLE "attachments" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "content_id" TEXT,
    "is_inline" BOOLEAN NOT NULL,
    "sha256" CHAR(64) NOT NULL,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversation_counts" (
    "identity_id" UUID NOT NULL,
    "status" "conversation_status" NOT NULL,
    "is_read" BOOLEAN NOT NULL,
    "is_archived" BOOLEAN NOT NULL,
    "is_spam" BOOLEAN NOT NULL,
    "shard" SMALLINT NOT NULL,
    "conversations" BIGINT NOT NULL,
    "changes" BIGINT NOT NULL,

    CONSTRAINT "conversation_counts_pkey" PRIMARY KEY ("identity_id","status","is_read","is_archived","is_spam","shard")
);

-- CreateTable
CREATE TABLE "outbox_mails" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "message_id" UUID,
    "kind" TEXT NOT NULL,
    "state" "outbox_state" NOT NULL DEFAULT 'queued',
    "message_id_header" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "recipients" TEXT[],
    "delivered" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "refusals" JSONB NOT NULL DEFAULT '{}',
    "mail" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "error" TEXT,
    "response" TEXT,
    "last_attempt_at" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "outbox_mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quarantined_mails" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "reason" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "sender" TEXT,
    "recipients" TEXT[],
    "size" INTEGER NOT NULL,
    "sha256" CHAR(64) NOT NULL,
    "is_truncated" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quarantined_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "conversations_identity_id_last_message_at_id_idx" ON "conversations"("identity_id", "last_message_at", "id");

-- CreateIndex
CREATE INDEX "conversations_identity_id_status_last_message_at_id_idx" ON "conversations"("identity_id", "status", "last_message_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "conversations_identity_id_id_key" ON "conversations"("identity_id", "id");

-- CreateIndex
CREATE INDEX "merged_conversations_identity_id_conversation_id_idx" ON "merged_conversations"("identity_id", "conversation_id");

-- CreateIndex
CREATE INDEX "messages_conversation_id_created_at_id_idx" ON "messages"("conversation_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "messages_identity_id_message_id_header_key" ON "messages"("identity_id", "message_id_header");

-- CreateIndex
CREATE UNIQUE INDEX "messages_identity_id_id_key" ON "messages"("identity_id", "id");

-- CreateIndex
CREATE INDEX "conversation_participants_identity_id_email_idx" ON "conversation_participants"("identity_id", "email");

-- CreateIndex
CREATE INDEX "conversation_agents_identity_id_agent_id_conversation_id_idx" ON "conversation_agents"("identity_id", "agent_id", "conversation_id");

-- CreateIndex
CREATE INDEX "attachments_sha256_idx" ON "attachments"("sha256");

-- CreateIndex
CREATE UNIQUE INDEX "attachments_message_id_position_key" ON "attachments"("message_id", "position");

-- CreateIndex
CREATE INDEX "outbox_mails_identity_id_id_idx" ON "outbox_mails"("identity_id", "id");

-- CreateIndex
CREATE INDEX "outbox_mails_identity_id_state_id_idx" ON "outbox_mails"("identity_id", "state", "id");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_mails_identity_id_message_id_header_key" ON "outbox_mails"("identity_id", "message_id_header");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_mails_identity_id_message_id_key" ON "outbox_mails"("identity_id", "message_id");

-- CreateIndex
CREATE INDEX "quarantined_mails_identity_id_id_idx" ON "quarantined_mails"("identity_id", "id");

-- CreateIndex
CREATE INDEX "quarantined_mails_sha256_idx" ON "quarantined_mails"("sha256");

-- CreateIndex
CREATE UNIQUE INDEX "quarantined_mails_identity_id_sha256_key" ON "quarantined_mails"("identity_id", "sha256");

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_identity_id_conversation_id_fkey" FOREIGN KEY ("identity_id", "conversation_id") REFERENCES "conversations"("identity_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_identity_id_agent_id_fkey" FOREIGN KEY ("identity_id", "agent_id") REFERENCES "agents"("identity_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_participants" ADD CONSTRAINT "conversation_participants_identity_id_conversation_id_fkey" FOREIGN KEY ("identity_id", "conversation_id") REFERENCES "conversations"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_agents" ADD CONSTRAINT "conversation_agents_identity_id_conversation_id_fkey" FOREIGN KEY ("identity_id", "conversation_id") REFERENCES "conversations"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_agents" ADD CONSTRAINT "conversation_agents_identity_id_agent_id_fkey" FOREIGN KEY ("identity_id", "agent_id") REFERENCES "agents"("identity_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_identity_id_message_id_fkey" FOREIGN KEY ("identity_id", "message_id") REFERENCES "messages"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox_mails" ADD CONSTRAINT "outbox_mails_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "outbox_mails" ADD CONSTRAINT "outbox_mails_identity_id_message_id_fkey" FOREIGN KEY ("identity_id", "message_id") REFERENCES "messages"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "quarantined_mails" ADD CONSTRAINT "quarantined_mails_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

ALTER TABLE "messages" ALTER COLUMN "references" SET NOT NULL, ALTER COLUMN "thread_keys" SET NOT NULL;
ALTER TABLE "outbox_mails" ALTER COLUMN "recipients" SET NOT NULL, ALTER COLUMN "delivered" SET NOT NULL;
ALTER TABLE "quarantined_mails" ALTER COLUMN "recipients" SET NOT NULL;

ALTER TABLE "messages" ADD CONSTRAINT "messages_status_check"
  CHECK (("direction" = 'inbound' AND "status" = 'received' AND "received_at" IS NOT NULL)
    OR ("direction" = 'outbound' AND "status" <> 'received' AND "received_at" IS NULL));
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_message_count_check" CHECK ("message_count" >= 0);
ALTER TABLE "outbox_mails" ADD CONSTRAINT "outbox_mails_state_check"
  CHECK (("state" <> 'sent' OR "sent_at" IS NOT NULL) AND cardinality("recipients") > 0);
ALTER TABLE "quarantined_mails" ADD CONSTRAINT "quarantined_mails_words_check"
  CHECK ("reason" IN ('unparsable', 'too_large') AND "source" IN ('smtp', 'http'));

-- The inbox, and what is unread in it: the two lists people look at all day.
CREATE INDEX "conversations_inbox_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE NOT "is_archived" AND NOT "is_spam";
CREATE INDEX "conversations_unread_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE NOT "is_read" AND NOT "is_archived" AND NOT "is_spam";
-- The other two folders, which may hold few of many.
CREATE INDEX "conversations_archived_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE "is_archived" AND NOT "is_spam";
CREATE INDEX "conversations_spam_idx" ON "conversations" ("identity_id", "last_message_at", "id") WHERE "is_spam";
-- Search in subject and preview.
CREATE INDEX "conversations_search_idx" ON "conversations"
  USING gin ("identity_id", ("subject" || E'\n' || "preview") gin_trgm_ops);
-- Who refers to a message that arrives only now. Asked for every message, so nothing may wait in a pending list.
CREATE INDEX "messages_thread_keys_idx" ON "messages" USING gin ("identity_id", "thread_keys") WITH (fastupdate = off);
-- Mail that is due, for the worker.
CREATE INDEX "outbox_mails_due_idx" ON "outbox_mails" ("due_at") WHERE "state" IN ('queued', 'sending');
-- Tasks that agents reported on a conversation.
CREATE INDEX "usage_records_conversation_idx" ON "usage_records" ("identity_id", "conversation_id", "id")
  WHERE "conversation_id" IS NOT NULL AND "task_id" IS NOT NULL;

-- Exact counts by kind without counting rows. Each kind's row is taken in one order, so that writers never wait in a circle.
ALTER TABLE "conversation_counts" SET (fillfactor = 50);

CREATE FUNCTION "count_conversations"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "conversation_counts" AS counts
      SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", pg_backend_pid() % 16, count(*), 1
      FROM "added" GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ("identity_id", "status", "is_read", "is_archived", "is_spam", "shard") DO UPDATE
      SET "conversations" = counts."conversations" + excluded."conversations", "changes" = counts."changes" + 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "conversation_counts" AS counts
      SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", pg_backend_pid() % 16, -count(*), 1
      FROM "removed" GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ("identity_id", "status", "is_read", "is_archived", "is_spam", "shard") DO UPDATE
      SET "conversations" = counts."conversations" + excluded."conversations", "changes" = counts."changes" + 1;
  ELSE
    INSERT INTO "conversation_counts" AS counts
      SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", pg_backend_pid() % 16, sum("change"), 1
      FROM (
        SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", 1 AS "change" FROM "added"
        UNION ALL
        SELECT "identity_id", "status", "is_read", "is_archived", "is_spam", -1 FROM "removed"
      ) "moved" GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ("identity_id", "status", "is_read", "is_archived", "is_spam", "shard") DO UPDATE
      SET "conversations" = counts."conversations" + excluded."conversations", "changes" = counts."changes" + 1;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "conversations_counted_insert" AFTER INSERT ON "conversations"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "count_conversations"();
CREATE TRIGGER "conversations_counted_update" AFTER UPDATE ON "conversations"
  REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "count_conversations"();
CREATE TRIGGER "conversations_counted_delete" AFTER DELETE ON "conversations"
  REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "count_conversations"();

-- An address leads to one identity, whether it is its own or a further one. The lock makes two claims at once come one after the other.
CREATE FUNCTION "claim_mail_address"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."address" IS NULL THEN
    RETURN NEW;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW."address", 0));
  IF TG_TABLE_NAME = 'identities' THEN
    IF EXISTS (SELECT 1 FROM "whitelisted_addresses" WHERE "address" = NEW."address") THEN
      RAISE EXCEPTION 'address % is taken', NEW."address"
        USING ERRCODE = 'unique_violation', CONSTRAINT = 'identities_address_taken_check';
    END IF;
  ELSIF EXISTS (SELECT 1 FROM "identities" WHERE "address" = NEW."address") THEN
    RAISE EXCEPTION 'address % is taken', NEW."address"
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'whitelisted_addresses_address_taken_check';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "identities_claim_address" BEFORE INSERT OR UPDATE OF "address" ON "identities"
  FOR EACH ROW EXECUTE FUNCTION "claim_mail_address"();
CREATE TRIGGER "whitelisted_addresses_claim_address" BEFORE INSERT OR UPDATE OF "address" ON "whitelisted_addresses"
  FOR EACH ROW EXECUTE FUNCTION "claim_mail_address"();

-- Agents get mail at the domain of their identity's address.
CREATE INDEX "identities_mail_domain_idx" ON "identities" (split_part("address", '@', 2));
