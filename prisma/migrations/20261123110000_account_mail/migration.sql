-- CreateEnum
CREATE TYPE "account_link_kind" AS ENUM ('email', 'password');

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "email_verified_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "outbox_mails" ALTER COLUMN "identity_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "account_links" (
    "hash" BYTEA NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" "account_link_kind" NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "account_links_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_links_user_id_kind_key" ON "account_links"("user_id", "kind");

-- AddForeignKey
ALTER TABLE "account_links" ADD CONSTRAINT "account_links_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- Mail to the person behind an account carries no message of a conversation, is seen by no identity, and may hold a secret: nothing of
-- it goes into the audit log.
ALTER TABLE "outbox_mails" ADD CONSTRAINT "outbox_mails_owner_check" CHECK ("identity_id" IS NOT NULL OR "message_id" IS NULL);
DROP TRIGGER "outbox_mails_audited" ON "outbox_mails";
DROP TRIGGER "outbox_mails_audited_delete" ON "outbox_mails";
DROP TRIGGER "outbox_mails_audited_update" ON "outbox_mails";
CREATE TRIGGER "outbox_mails_audited" AFTER INSERT ON "outbox_mails" FOR EACH ROW
  WHEN (NEW."identity_id" IS NOT NULL AND NEW."message_id" IS NULL) EXECUTE FUNCTION "note_mail_change"();
CREATE TRIGGER "outbox_mails_audited_delete" AFTER DELETE ON "outbox_mails" FOR EACH ROW
  WHEN (OLD."identity_id" IS NOT NULL AND OLD."message_id" IS NULL) EXECUTE FUNCTION "note_mail_change"();
CREATE TRIGGER "outbox_mails_audited_update" AFTER UPDATE ON "outbox_mails" FOR EACH ROW
  WHEN (NEW."identity_id" IS NOT NULL AND OLD."state" IS DISTINCT FROM NEW."state"
    AND (OLD."state" = 'failed' OR (NEW."message_id" IS NULL AND NEW."state" IN ('sent', 'failed'))))
  EXECUTE FUNCTION "note_mail_change"();
-- For its removal.
CREATE INDEX "outbox_mails_account_idx" ON "outbox_mails" ("created_at") WHERE "identity_id" IS NULL;

ALTER TABLE "account_links" ADD CONSTRAINT "account_links_hash_check" CHECK (octet_length("hash") = 32);

-- Addresses given at setup and on the command line count as proven. Until now an account could change its address without proof; the
-- audit log says which did. The change of this column itself is no entry in the log.
ALTER TABLE "users" DISABLE TRIGGER "users_audited";
UPDATE "users" u SET "email_verified_at" = u."created_at"
  WHERE NOT EXISTS (
    SELECT 1 FROM "audit_entries" e WHERE e."resource" = 'account' AND e."resource_id" = u."id"::text AND e."action" = 'updated' AND e."after" ? 'email'
  );
ALTER TABLE "users" ENABLE TRIGGER "users_audited";
