ALTER TYPE "notification_kind" ADD VALUE IF NOT EXISTS 'mailbox';

-- Mailboxes of other servers that email is read from.
CREATE TABLE "mailboxes" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "port" INTEGER NOT NULL,
    "security" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "password" TEXT NOT NULL,
    "folder" TEXT NOT NULL,
    "import_days" INTEGER NOT NULL,
    "is_paused" BOOLEAN NOT NULL DEFAULT false,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailboxes_pkey" PRIMARY KEY ("identity_id","id"),
    CONSTRAINT "mailboxes_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "mailboxes_identity_id_address_folder_key" ON "mailboxes" ("identity_id", "address", "folder");

-- How far a mailbox has been read, and whether it can be.
CREATE TABLE "mailbox_states" (
    "identity_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "uid_validity" BIGINT,
    "last_uid" BIGINT NOT NULL DEFAULT 0,
    "import_since" TIMESTAMPTZ(3),
    "import_last_uid" BIGINT NOT NULL DEFAULT 0,
    "import_total" INTEGER,
    "import_done" INTEGER NOT NULL DEFAULT 0,
    "checked_at" TIMESTAMPTZ(3),
    "received_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "detail" TEXT,

    CONSTRAINT "mailbox_states_pkey" PRIMARY KEY ("identity_id","mailbox_id"),
    CONSTRAINT "mailbox_states_identity_id_mailbox_id_fkey" FOREIGN KEY ("identity_id", "mailbox_id") REFERENCES "mailboxes"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TRIGGER "mailboxes_revision" BEFORE UPDATE ON "mailboxes" FOR EACH ROW EXECUTE FUNCTION "raise_revision"();

DO $$
DECLARE
  "arguments" constant text := $a$'mailbox', 'id', '', 'address', '{id,identity_id,created_at,updated_at,revision}', '{password}'$a$;
BEGIN
  EXECUTE format($triggers$
    CREATE TRIGGER "mailboxes_audited" AFTER INSERT ON "mailboxes" FOR EACH ROW EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "mailboxes_audited_update" AFTER UPDATE ON "mailboxes" FOR EACH ROW
      WHEN ((OLD."host", OLD."port", OLD."security", OLD."username", OLD."password", OLD."folder", OLD."is_paused")
        IS DISTINCT FROM (NEW."host", NEW."port", NEW."security", NEW."username", NEW."password", NEW."folder", NEW."is_paused"))
      EXECUTE FUNCTION "note_change"(%1$s);
    CREATE TRIGGER "mailboxes_audited_delete" AFTER DELETE ON "mailboxes" FOR EACH ROW
      WHEN (NOT "is_erasing"(OLD."identity_id")) EXECUTE FUNCTION "note_change"(%1$s);
  $triggers$, "arguments");
END $$;
