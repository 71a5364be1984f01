-- By which server emails from the address of a mailbox are sent. Without a password, by that of the mailbox.
ALTER TABLE "mailboxes" ADD COLUMN "smtp_host" TEXT,
ADD COLUMN "smtp_port" INTEGER,
ADD COLUMN "smtp_security" TEXT,
ADD COLUMN "smtp_username" TEXT,
ADD COLUMN "smtp_password" TEXT,
ADD CONSTRAINT "mailboxes_smtp_whole" CHECK (
  num_nulls("smtp_host", "smtp_port", "smtp_security", "smtp_username") IN (0, 4) AND ("smtp_password" IS NULL OR "smtp_host" IS NOT NULL)
);

-- The mailbox by whose server an email is sent; null for that of the installation.
ALTER TABLE "outbox_mails" ADD COLUMN "mailbox_id" UUID;

DO $$
DECLARE
  "arguments" constant text := $a$'mailbox', 'id', '', 'address', '{id,identity_id,created_at,updated_at,revision}', '{password,smtp_password}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE OR REPLACE TRIGGER "mailboxes_audited" AFTER INSERT ON "mailboxes" FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
    CREATE OR REPLACE TRIGGER "mailboxes_audited_update" AFTER UPDATE ON "mailboxes" FOR EACH ROW
      WHEN ((OLD."host", OLD."port", OLD."security", OLD."username", OLD."password", OLD."folder", OLD."is_paused",
          OLD."smtp_host", OLD."smtp_port", OLD."smtp_security", OLD."smtp_username", OLD."smtp_password")
        IS DISTINCT FROM (NEW."host", NEW."port", NEW."security", NEW."username", NEW."password", NEW."folder", NEW."is_paused",
          NEW."smtp_host", NEW."smtp_port", NEW."smtp_security", NEW."smtp_username", NEW."smtp_password"))
      EXECUTE FUNCTION "note_change"(%1$s);
    CREATE OR REPLACE TRIGGER "mailboxes_audited_delete" AFTER DELETE ON "mailboxes" FOR EACH ROW
      WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;
