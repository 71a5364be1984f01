-- Texts that a business sends again and again.

-- CreateTable
CREATE TABLE "mail_snippets" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "attachment_ids" UUID[],
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_snippets_pkey" PRIMARY KEY ("identity_id","id")
);

-- AddForeignKey
ALTER TABLE "mail_snippets" ADD CONSTRAINT "mail_snippets_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

CREATE UNIQUE INDEX "mail_snippets_name_key" ON "mail_snippets" ("identity_id", lower("name"));
-- Which uploads are still wanted.
CREATE INDEX "mail_snippets_attachments_idx" ON "mail_snippets" USING gin ("attachment_ids");

CREATE TRIGGER "mail_snippets_revision" BEFORE UPDATE ON "mail_snippets" FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

DO $$
DECLARE
  "arguments" constant text := $a$'snippet', 'id', '', 'name', '{id,identity_id,created_at,updated_at,revision}', '{}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE TRIGGER "mail_snippets_audited" AFTER INSERT ON "mail_snippets" FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "mail_snippets_audited_update" AFTER UPDATE ON "mail_snippets" FOR EACH ROW
      WHEN ((OLD."name", OLD."text", OLD."attachment_ids") IS DISTINCT FROM (NEW."name", NEW."text", NEW."attachment_ids"))
      EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "mail_snippets_audited_delete" AFTER DELETE ON "mail_snippets" FOR EACH ROW
      WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;
