-- Who takes care of a conversation, and who has it open right now (docs/adr/0029).

-- CreateEnum
CREATE TYPE "presence_activity" AS ENUM ('viewing', 'answering');

-- AlterTable
ALTER TABLE "conversations" ADD COLUMN     "assignee_agent_id" UUID,
ADD COLUMN     "assignee_user_id" UUID;

-- CreateTable
CREATE TABLE "conversation_presence" (
    "identity_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "activity" "presence_activity" NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_presence_pkey" PRIMARY KEY ("identity_id","conversation_id","user_id")
);

-- AddForeignKey
ALTER TABLE "conversation_presence" ADD CONSTRAINT "conversation_presence_identity_id_conversation_id_fkey" FOREIGN KEY ("identity_id", "conversation_id") REFERENCES "conversations"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "conversation_presence" ADD CONSTRAINT "conversation_presence_identity_id_user_id_fkey" FOREIGN KEY ("identity_id", "user_id") REFERENCES "memberships"("identity_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- Room beside each row, so that a heartbeat changes it in place.
ALTER TABLE "conversation_presence" SET (fillfactor = 50);

ALTER TABLE "conversations" ADD CONSTRAINT "conversations_assignee_check" CHECK (num_nonnulls("assignee_user_id", "assignee_agent_id") <= 1);

-- Only the column of the assignee becomes null: `identity_id` is part of the key.
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_assignee_agent_fkey" FOREIGN KEY ("identity_id", "assignee_agent_id")
  REFERENCES "agents"("identity_id", "id") ON DELETE SET NULL ("assignee_agent_id") ON UPDATE CASCADE;

-- A membership has to end at once, however many conversations are assigned to the person, so it has no foreign key: a job follows.
CREATE FUNCTION "unassign_member"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM graphile_worker.add_job('unassign-member', json_build_object('identityId', OLD."identity_id", 'userId', OLD."user_id"),
    job_key := 'unassign-member:' || OLD."identity_id" || ':' || OLD."user_id");
  RETURN NULL;
END $$;
CREATE TRIGGER "memberships_unassigned" AFTER DELETE ON "memberships" FOR EACH ROW
  WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "unassign_member"();

-- What one person or agent takes care of, in a folder: one range of the index, in the order of the list.
CREATE INDEX "conversations_assignee_user_idx" ON "conversations"
  ("identity_id", "assignee_user_id", "is_spam", "is_archived", "last_message_at", "id") WHERE "assignee_user_id" IS NOT NULL;
CREATE INDEX "conversations_assignee_agent_idx" ON "conversations"
  ("identity_id", "assignee_agent_id", "is_spam", "is_archived", "last_message_at", "id") WHERE "assignee_agent_id" IS NOT NULL;
-- What has no assignee in the inbox yet.
CREATE INDEX "conversations_unassigned_idx" ON "conversations" ("identity_id", "last_message_at", "id")
  WHERE "assignee_user_id" IS NULL AND "assignee_agent_id" IS NULL AND NOT "is_archived" AND NOT "is_spam";

-- The audit log has changes of the assignee, too.
CREATE OR REPLACE TRIGGER "conversations_audited_update" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN ((OLD."id", OLD."subject", OLD."channel", OLD."status", OLD."is_read", OLD."is_archived", OLD."is_spam", OLD."origin_address",
      OLD."counterpart_email", OLD."counterpart_name", OLD."metadata", OLD."assignee_user_id", OLD."assignee_agent_id")
    IS DISTINCT FROM (NEW."id", NEW."subject", NEW."channel", NEW."status", NEW."is_read", NEW."is_archived", NEW."is_spam",
      NEW."origin_address", NEW."counterpart_email", NEW."counterpart_name", NEW."metadata", NEW."assignee_user_id", NEW."assignee_agent_id"))
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject', '{id,identity_id,created_at,updated_at,preview,last_message_at,message_count}', '{}');
