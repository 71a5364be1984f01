-- Emails that are being written: drafts of their authors, on every device.

-- CreateTable
CREATE TABLE "mail_drafts" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "author_user_id" UUID,
    "author_agent_id" UUID,
    "conversation_id" UUID,
    "forward_message_id" UUID,
    "from" TEXT,
    "to" JSONB NOT NULL,
    "cc" JSONB NOT NULL,
    "bcc" JSONB NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "html" TEXT,
    "agent_id" UUID,
    "quote" BOOLEAN NOT NULL,
    "attachment_ids" UUID[],
    "revision" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_drafts_pkey" PRIMARY KEY ("identity_id","id")
);

-- AddForeignKey
ALTER TABLE "mail_drafts" ADD CONSTRAINT "mail_drafts_identity_id_conversation_id_fkey" FOREIGN KEY ("identity_id", "conversation_id") REFERENCES "conversations"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_drafts" ADD CONSTRAINT "mail_drafts_identity_id_author_user_id_fkey" FOREIGN KEY ("identity_id", "author_user_id") REFERENCES "memberships"("identity_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mail_drafts" ADD CONSTRAINT "mail_drafts_identity_id_author_agent_id_fkey" FOREIGN KEY ("identity_id", "author_agent_id") REFERENCES "agents"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

ALTER TABLE "mail_drafts" ADD CONSTRAINT "mail_drafts_author_check"
  CHECK (num_nonnulls("author_user_id", "author_agent_id") = 1);

-- The drafts of an author, the last one first; and one in each conversation.
CREATE INDEX "mail_drafts_author_user_idx" ON "mail_drafts" ("identity_id", "author_user_id", "updated_at", "id") WHERE "author_user_id" IS NOT NULL;
CREATE INDEX "mail_drafts_author_agent_idx" ON "mail_drafts" ("identity_id", "author_agent_id", "updated_at", "id") WHERE "author_agent_id" IS NOT NULL;
CREATE UNIQUE INDEX "mail_drafts_conversation_key" ON "mail_drafts" ("identity_id", "conversation_id", "author_user_id", "author_agent_id")
  NULLS NOT DISTINCT WHERE "conversation_id" IS NOT NULL;

-- Which uploads are still wanted.
CREATE INDEX "mail_drafts_attachments_idx" ON "mail_drafts" USING gin ("attachment_ids");

CREATE TRIGGER "mail_drafts_revision" BEFORE UPDATE ON "mail_drafts" FOR EACH ROW EXECUTE FUNCTION "raise_revision"();
