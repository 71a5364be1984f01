-- Internal notes in conversations, with mentions of colleagues.

-- CreateEnum
CREATE TYPE "note_author" AS ENUM ('user', 'agent', 'api_key');

-- CreateTable
CREATE TABLE "conversation_notes" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "mentions" UUID[] DEFAULT ARRAY[]::UUID[],
    "author_type" "note_author" NOT NULL,
    "author_id" UUID NOT NULL,
    "author_name" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_notes_pkey" PRIMARY KEY ("identity_id","id")
);

-- CreateIndex
CREATE INDEX "conversation_notes_identity_id_conversation_id_created_at_i_idx" ON "conversation_notes"("identity_id", "conversation_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "conversation_notes" ADD CONSTRAINT "conversation_notes_identity_id_conversation_id_fkey" FOREIGN KEY ("identity_id", "conversation_id") REFERENCES "conversations"("identity_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- The audit log has who added a note and when; notes are never changed. The text is in the note alone.
CREATE TRIGGER "conversation_notes_audited" AFTER INSERT ON "conversation_notes" FOR EACH ROW
  EXECUTE FUNCTION "note_change"('note', 'id', 'conversation_id', '', '{id,identity_id,conversation_id,created_at,text,author_type,author_id,author_name}', '{}');

-- Notes take of the plan's storage, as messages do.
CREATE OR REPLACE VIEW "stored_bytes" WITH (security_invoker = true) AS
  SELECT "identity_id", (octet_length("text") + coalesce(octet_length("html"), 0) + 1024)::bigint AS "bytes" FROM "messages"
  UNION ALL SELECT "identity_id", (octet_length("text") + 1024)::bigint FROM "conversation_notes"
  UNION ALL SELECT "identity_id", "size" FROM "attachments"
  UNION ALL SELECT "identity_id", "size" FROM "quarantined_mails"
  UNION ALL SELECT "identity_id", "size" FROM "blog_image_files";

CREATE OR REPLACE FUNCTION "count_storage"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  "sign" constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  CASE TG_TABLE_NAME
    WHEN 'messages' THEN
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT "identity_id", pg_backend_pid() % 16, "sign" * sum(octet_length("text") + coalesce(octet_length("html"), 0) + 1024)
        FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
    WHEN 'conversation_notes' THEN
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT "identity_id", pg_backend_pid() % 16, "sign" * sum(octet_length("text") + 1024)
        FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
    ELSE
      INSERT INTO "storage_usage" AS known ("identity_id", "shard", "bytes")
        SELECT "identity_id", pg_backend_pid() % 16, "sign" * sum("size") FROM "changed" GROUP BY "identity_id" ORDER BY "identity_id"
      ON CONFLICT ("identity_id", "shard") DO UPDATE SET "bytes" = known."bytes" + excluded."bytes";
  END CASE;
  RETURN NULL;
END $$;
CREATE TRIGGER "conversation_notes_stored" AFTER INSERT ON "conversation_notes"
  REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
CREATE TRIGGER "conversation_notes_stored_delete" AFTER DELETE ON "conversation_notes"
  REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "count_storage"();
