-- Whether a person writes emails as plain or as formatted text.
ALTER TABLE "users" ADD COLUMN "email_format" TEXT NOT NULL DEFAULT 'markdown',
ADD CONSTRAINT "users_email_format_check" CHECK ("email_format" IN ('plain', 'markdown'));
