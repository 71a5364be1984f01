-- Requests of the dashboard may come again, too: their keys belong to the account.

-- AlterTable
ALTER TABLE "idempotent_requests" ADD COLUMN     "user_id" UUID,
ALTER COLUMN "api_key_id" DROP NOT NULL;

-- CreateIndex
CREATE UNIQUE INDEX "idempotent_requests_user_id_key_key" ON "idempotent_requests"("user_id", "key");

-- AddForeignKey
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.
ALTER TABLE "idempotent_requests" ADD CONSTRAINT "idempotent_requests_caller_check" CHECK (num_nonnulls("api_key_id", "user_id") = 1);
