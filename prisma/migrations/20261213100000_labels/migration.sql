-- online
--
-- Labels of a business, and those that its conversations have.

-- step
CREATE TABLE IF NOT EXISTS "conversation_labels" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_labels_pkey" PRIMARY KEY ("identity_id","id"),
    CONSTRAINT "conversation_labels_color_check"
      CHECK ("color" IN ('gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple')),
    CONSTRAINT "conversation_labels_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id")
      ON DELETE RESTRICT ON UPDATE CASCADE
);

-- step
CREATE UNIQUE INDEX IF NOT EXISTS "conversation_labels_name_key" ON "conversation_labels" ("identity_id", lower("name"));

-- step
CREATE OR REPLACE TRIGGER "conversation_labels_revision" BEFORE UPDATE ON "conversation_labels"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step
DO $$
DECLARE
  "arguments" constant text := $a$'label', 'id', '', 'name', '{id,identity_id,created_at,updated_at,revision}', '{}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE OR REPLACE TRIGGER "conversation_labels_audited" AFTER INSERT ON "conversation_labels"
      FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
    CREATE OR REPLACE TRIGGER "conversation_labels_audited_update" AFTER UPDATE ON "conversation_labels" FOR EACH ROW
      WHEN ((OLD."name", OLD."color") IS DISTINCT FROM (NEW."name", NEW."color"))
      EXECUTE FUNCTION "note_change"(%1$s);
    CREATE OR REPLACE TRIGGER "conversation_labels_audited_delete" AFTER DELETE ON "conversation_labels" FOR EACH ROW
      WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;

-- step
ALTER TABLE "conversations" ADD COLUMN IF NOT EXISTS "label_ids" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[];

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "conversations_labels_idx" ON "conversations" USING gin ("label_ids") WHERE "label_ids" <> '{}';

-- step
CREATE OR REPLACE TRIGGER "conversations_revision"
  BEFORE UPDATE OF "subject", "preview", "status", "is_read", "last_message_at", "counterpart_email", "counterpart_name", "message_count",
    "is_archived", "is_spam", "is_trashed", "trashed_at", "snoozed_until", "label_ids", "assignee_user_id", "assignee_agent_id", "metadata",
    "updated_at" ON "conversations"
  FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

-- step
CREATE OR REPLACE TRIGGER "conversations_audited_update" AFTER UPDATE ON "conversations" FOR EACH ROW
  WHEN ((OLD."id", OLD."subject", OLD."channel", OLD."status", OLD."is_read", OLD."is_archived", OLD."is_spam", OLD."is_trashed",
      OLD."snoozed_until", OLD."label_ids", OLD."origin_address", OLD."counterpart_email", OLD."counterpart_name", OLD."metadata",
      OLD."assignee_user_id", OLD."assignee_agent_id")
    IS DISTINCT FROM (NEW."id", NEW."subject", NEW."channel", NEW."status", NEW."is_read", NEW."is_archived", NEW."is_spam",
      NEW."is_trashed", NEW."snoozed_until", NEW."label_ids", NEW."origin_address", NEW."counterpart_email", NEW."counterpart_name",
      NEW."metadata", NEW."assignee_user_id", NEW."assignee_agent_id"))
  EXECUTE FUNCTION "note_change"('conversation', 'id', '', 'subject',
    '{revision,routes_revision,id,identity_id,created_at,updated_at,preview,last_message_at,message_count,trashed_at,snoozed_by}', '{}');
