-- A person's time zone, for quiet hours and digests, and the language of emails to them.

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "language" TEXT NOT NULL DEFAULT 'en',
ADD COLUMN     "time_zone" TEXT;
