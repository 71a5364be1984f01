-- online
--
-- Emails that are written in Markdown, and signatures of members.

-- step
ALTER TABLE "mail_drafts" ADD COLUMN IF NOT EXISTS "format" TEXT NOT NULL DEFAULT 'plain';

-- step
ALTER TABLE "memberships" ADD COLUMN "signature" TEXT NOT NULL DEFAULT '';
