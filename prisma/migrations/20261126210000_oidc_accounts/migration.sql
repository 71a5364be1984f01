-- Single sign-on by OpenID Connect: the provider's account of a person, and accounts without a password (docs/adr/0028).

-- AlterTable
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;

-- CreateTable
CREATE TABLE "oidc_accounts" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oidc_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "oidc_accounts_issuer_subject_key" ON "oidc_accounts"("issuer", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "oidc_accounts_user_id_issuer_key" ON "oidc_accounts"("user_id", "issuer");

-- AddForeignKey
ALTER TABLE "oidc_accounts" ADD CONSTRAINT "oidc_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

-- `note_change` knows the resource since 20261126200000_passkeys.
CREATE TRIGGER "oidc_accounts_audited" AFTER INSERT ON "oidc_accounts" FOR EACH ROW EXECUTE FUNCTION
  "note_change"('oidc_account', 'id', '', 'email', '{id,user_id,created_at,last_used_at}', '{}');
-- A sign-in is in the log as a session; here, only a change of whose account it is would matter.
CREATE TRIGGER "oidc_accounts_audited_update" AFTER UPDATE ON "oidc_accounts" FOR EACH ROW
  WHEN ((OLD."user_id", OLD."issuer", OLD."subject") IS DISTINCT FROM (NEW."user_id", NEW."issuer", NEW."subject"))
  EXECUTE FUNCTION "note_change"('oidc_account', 'id', '', 'email', '{id,user_id,created_at,last_used_at}', '{}');
CREATE TRIGGER "oidc_accounts_audited_delete" AFTER DELETE ON "oidc_accounts" FOR EACH ROW EXECUTE FUNCTION
  "note_change"('oidc_account', 'id', '', 'email', '{id,user_id,created_at,last_used_at}', '{}');
