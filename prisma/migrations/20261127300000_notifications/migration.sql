-- What members are notified of, how each wants it, and their browsers that show it (docs/adr/0030).

-- CreateEnum
CREATE TYPE "notification_kind" AS ENUM ('assigned', 'mentioned', 'escalation', 'failed_email');

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "kind" "notification_kind" NOT NULL,
    "title" TEXT NOT NULL,
    "sent_title" TEXT NOT NULL,
    "conversation_id" UUID,
    "dedupe_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "in_app" BOOLEAN NOT NULL,
    "read_at" TIMESTAMPTZ(3),
    "mail_due_at" TIMESTAMPTZ(3),
    "mailed_at" TIMESTAMPTZ(3),
    "push_due_at" TIMESTAMPTZ(3),
    "pushed_at" TIMESTAMPTZ(3),

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("identity_id","id")
);

-- CreateTable
CREATE TABLE "notification_settings" (
    "identity_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "channels" JSONB NOT NULL DEFAULT '{}',
    "quiet_from" TEXT,
    "quiet_to" TEXT,

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("identity_id","user_id")
);

-- CreateTable
CREATE TABLE "push_subscriptions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notifications_identity_id_user_id_id_idx" ON "notifications"("identity_id", "user_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_identity_id_user_id_dedupe_key_key" ON "notifications"("identity_id", "user_id", "dedupe_key");

-- CreateIndex
CREATE UNIQUE INDEX "push_subscriptions_session_id_key" ON "push_subscriptions"("session_id");

-- CreateIndex
CREATE UNIQUE INDEX "push_subscriptions_endpoint_key" ON "push_subscriptions"("endpoint");

-- CreateIndex
CREATE INDEX "push_subscriptions_user_id_idx" ON "push_subscriptions"("user_id");

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_identity_id_user_id_fkey" FOREIGN KEY ("identity_id", "user_id") REFERENCES "memberships"("identity_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_identity_id_user_id_fkey" FOREIGN KEY ("identity_id", "user_id") REFERENCES "memberships"("identity_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "push_subscriptions" ADD CONSTRAINT "push_subscriptions_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_quiet_check"
  CHECK (num_nonnulls("quiet_from", "quiet_to") IN (0, 2) AND "quiet_from" <> "quiet_to");

-- The count beside the bell, and what reading a conversation marks.
CREATE INDEX "notifications_unread_idx" ON "notifications" ("identity_id", "user_id") WHERE "read_at" IS NULL;

-- What a member's job takes, and what the sweep looks for. LEAST leaves out nulls.
CREATE INDEX "notifications_pending_idx" ON "notifications" ("identity_id", "user_id", (LEAST("mail_due_at", "push_due_at")))
  WHERE LEAST("mail_due_at", "push_due_at") IS NOT NULL;
CREATE INDEX "notifications_due_idx" ON "notifications" ((LEAST("mail_due_at", "push_due_at")))
  WHERE LEAST("mail_due_at", "push_due_at") IS NOT NULL;

-- When a person was last mailed.
CREATE INDEX "notifications_mailed_idx" ON "notifications" ("user_id", "mailed_at") WHERE "mailed_at" IS NOT NULL;
