-- Photos of people, for their colleagues. They are small, so they are kept with the account instead of in files, and go with it.

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "photo_id" UUID;

-- CreateTable
CREATE TABLE "user_photos" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "user_photos_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_photos_user_id_key" ON "user_photos"("user_id");

-- AddForeignKey
ALTER TABLE "user_photos" ADD CONSTRAINT "user_photos_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
