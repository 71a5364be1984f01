-- CreateTable
CREATE TABLE "message_renderings" (
    "identity_id" UUID NOT NULL,
    "message_id" UUID NOT NULL,
    "remote_images" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "page" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_renderings_pkey" PRIMARY KEY ("identity_id","message_id","remote_images")
);

-- AddForeignKey
ALTER TABLE "message_renderings" ADD CONSTRAINT "message_renderings_identity_id_message_id_fkey" FOREIGN KEY ("identity_id", "message_id") REFERENCES "messages"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;
