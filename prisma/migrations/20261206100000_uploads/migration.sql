-- online
--
-- Attachments are uploaded before the email that they are sent with is written: until then they belong to no message.

-- step
ALTER TABLE "attachments" ADD COLUMN IF NOT EXISTS "uploaded_at" TIMESTAMPTZ(3),
DROP CONSTRAINT IF EXISTS "attachments_uploaded_check",
ADD CONSTRAINT "attachments_uploaded_check" CHECK ("message_id" IS NOT NULL OR "uploaded_at" IS NOT NULL) NOT VALID;

-- step
ALTER TABLE "attachments" VALIDATE CONSTRAINT "attachments_uploaded_check";

-- step
CREATE INDEX CONCURRENTLY IF NOT EXISTS "attachments_uploaded_at_idx" ON "attachments" ("uploaded_at") WHERE "message_id" IS NULL;

-- step
ALTER TABLE "attachments" ALTER COLUMN "message_id" DROP NOT NULL;
