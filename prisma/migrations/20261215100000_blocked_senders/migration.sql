-- Senders whose email is spam.
CREATE TABLE "blocked_senders" (
    "identity_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sender" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blocked_senders_pkey" PRIMARY KEY ("identity_id","id"),
    CONSTRAINT "blocked_senders_sender_check" CHECK ("sender" = lower("sender")),
    CONSTRAINT "blocked_senders_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "blocked_senders_identity_id_sender_key" ON "blocked_senders" ("identity_id", "sender");

CREATE TRIGGER "blocked_senders_audited" AFTER INSERT ON "blocked_senders"
  FOR EACH ROW EXECUTE FUNCTION "note_change"('blocked_sender', 'id', '', 'sender', '{id,identity_id,created_at}', '{}');
CREATE TRIGGER "blocked_senders_audited_delete" AFTER DELETE ON "blocked_senders" FOR EACH ROW
  WHEN (NOT "is_erasing"(OLD."identity_id"))
  EXECUTE FUNCTION "note_change"('blocked_sender', 'id', '', 'sender', '{id,identity_id,created_at}', '{}');
