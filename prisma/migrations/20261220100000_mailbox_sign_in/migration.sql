-- The clients by which members of a business sign in to mailboxes at Google and Microsoft.
CREATE TABLE "mailbox_clients" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret" TEXT NOT NULL,
    "tenant_id" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailbox_clients_pkey" PRIMARY KEY ("identity_id","provider"),
    CONSTRAINT "mailbox_clients_provider_check" CHECK ("provider" IN ('google', 'microsoft')),
    CONSTRAINT "mailbox_clients_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

-- Mailboxes have a password, or a member signed in at their provider.
ALTER TABLE "mailboxes" ADD COLUMN "provider" TEXT,
ALTER COLUMN "password" DROP NOT NULL,
ADD CONSTRAINT "mailboxes_login_check" CHECK (
  ("provider" IS NULL) = ("password" IS NOT NULL) AND ("provider" IS NULL OR "smtp_password" IS NULL)
);

-- What those sign-ins gave.
CREATE TABLE "mailbox_tokens" (
    "identity_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "refresh_token" TEXT NOT NULL,
    "access_token" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mailbox_tokens_pkey" PRIMARY KEY ("identity_id","mailbox_id"),
    CONSTRAINT "mailbox_tokens_identity_id_mailbox_id_fkey" FOREIGN KEY ("identity_id", "mailbox_id") REFERENCES "mailboxes"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "mailbox_tokens_identity_id_provider_fkey" FOREIGN KEY ("identity_id", "provider") REFERENCES "mailbox_clients"("identity_id", "provider") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE INDEX "mailbox_tokens_identity_id_provider_idx" ON "mailbox_tokens" ("identity_id", "provider");

CREATE TRIGGER "mailbox_clients_revision" BEFORE UPDATE ON "mailbox_clients" FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

DO $$
DECLARE
  "arguments" constant text := $a$'mailbox_client', 'id', '', 'provider', '{id,identity_id,created_at,updated_at,revision}', '{client_secret}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE TRIGGER "mailbox_clients_audited" AFTER INSERT ON "mailbox_clients" FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "mailbox_clients_audited_update" AFTER UPDATE ON "mailbox_clients" FOR EACH ROW
      WHEN ((OLD."client_id", OLD."client_secret", OLD."tenant_id") IS DISTINCT FROM (NEW."client_id", NEW."client_secret", NEW."tenant_id"))
      EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "mailbox_clients_audited_delete" AFTER DELETE ON "mailbox_clients" FOR EACH ROW
      WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;

DO $$
DECLARE
  "arguments" constant text := $a$'mailbox', 'id', '', 'address', '{id,identity_id,created_at,updated_at,revision}', '{password,smtp_password}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE OR REPLACE TRIGGER "mailboxes_audited_update" AFTER UPDATE ON "mailboxes" FOR EACH ROW
      WHEN ((OLD."host", OLD."port", OLD."security", OLD."username", OLD."password", OLD."provider", OLD."folder", OLD."is_paused",
          OLD."smtp_host", OLD."smtp_port", OLD."smtp_security", OLD."smtp_username", OLD."smtp_password")
        IS DISTINCT FROM (NEW."host", NEW."port", NEW."security", NEW."username", NEW."password", NEW."provider", NEW."folder", NEW."is_paused",
          NEW."smtp_host", NEW."smtp_port", NEW."smtp_security", NEW."smtp_username", NEW."smtp_password"))
      EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;
