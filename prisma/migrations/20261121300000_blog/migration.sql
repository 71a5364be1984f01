-- CreateEnum
CREATE TYPE "blog_post_status" AS ENUM ('draft', 'published', 'archived');

-- CreateTable
CREATE TABLE "blog_posts" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "excerpt" TEXT NOT NULL DEFAULT '',
    "cover_image_url" TEXT NOT NULL DEFAULT '',
    "author_name" TEXT NOT NULL,
    "author_avatar_url" TEXT NOT NULL DEFAULT '',
    "author_agent_id" UUID,
    "status" "blog_post_status" NOT NULL DEFAULT 'draft',
    "published_at" TIMESTAMPTZ(3),
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "meta_description" TEXT NOT NULL DEFAULT '',
    "title_key" TEXT NOT NULL DEFAULT '',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "has_been_public" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blog_posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blog_post_former_addresses" (
    "identity_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "post_id" UUID NOT NULL,

    CONSTRAINT "blog_post_former_addresses_pkey" PRIMARY KEY ("identity_id","slug")
);

-- CreateTable
CREATE TABLE "blog_post_counts" (
    "identity_id" UUID NOT NULL,
    "status" "blog_post_status" NOT NULL,
    "shard" SMALLINT NOT NULL,
    "posts" BIGINT NOT NULL,

    CONSTRAINT "blog_post_counts_pkey" PRIMARY KEY ("identity_id","status","shard")
);

-- CreateTable
CREATE TABLE "blog_sites" (
    "identity_id" UUID NOT NULL,
    "language" TEXT NOT NULL DEFAULT 'en',
    "version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "blog_sites_pkey" PRIMARY KEY ("identity_id")
);

-- CreateTable
CREATE TABLE "blog_images" (
    "id" UUID NOT NULL,
    "identity_id" UUID NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blog_images_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blog_image_files" (
    "image_id" UUID NOT NULL,
    "format" TEXT NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,
    "sha256" CHAR(64) NOT NULL,

    CONSTRAINT "blog_image_files_pkey" PRIMARY KEY ("image_id","format","width")
);

-- CreateTable
CREATE TABLE "remote_pictures" (
    "hash" BYTEA NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "remote_pictures_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "blog_posts_identity_id_created_at_id_idx" ON "blog_posts"("identity_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "blog_posts_identity_id_status_created_at_id_idx" ON "blog_posts"("identity_id", "status", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "blog_posts_identity_id_slug_key" ON "blog_posts"("identity_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "blog_posts_identity_id_id_key" ON "blog_posts"("identity_id", "id");

-- CreateIndex
CREATE INDEX "blog_post_former_addresses_identity_id_post_id_idx" ON "blog_post_former_addresses"("identity_id", "post_id");

-- CreateIndex
CREATE INDEX "blog_images_identity_id_created_at_idx" ON "blog_images"("identity_id", "created_at");

-- CreateIndex
CREATE INDEX "blog_image_files_sha256_idx" ON "blog_image_files"("sha256");

-- AddForeignKey
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_identity_id_author_agent_id_fkey" FOREIGN KEY ("identity_id", "author_agent_id") REFERENCES "agents"("identity_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_post_former_addresses" ADD CONSTRAINT "blog_post_former_addresses_identity_id_post_id_fkey" FOREIGN KEY ("identity_id", "post_id") REFERENCES "blog_posts"("identity_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_sites" ADD CONSTRAINT "blog_sites_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_images" ADD CONSTRAINT "blog_images_identity_id_fkey" FOREIGN KEY ("identity_id") REFERENCES "identities"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blog_image_files" ADD CONSTRAINT "blog_image_files_image_id_fkey" FOREIGN KEY ("image_id") REFERENCES "blog_images"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What follows can't be said in the Prisma schema.

ALTER TABLE "blog_posts" ALTER COLUMN "tags" SET NOT NULL;
-- Texts stand apart from their rows, also short ones: lists read many rows and no text.
ALTER TABLE "blog_posts" SET (toast_tuple_target = 256);
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_slug_check" CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length("slug") <= 200);
-- Drafts have no time of publication, public posts have one, and archived posts keep what they had.
ALTER TABLE "blog_posts" ADD CONSTRAINT "blog_posts_published_at_check"
  CHECK (("status" <> 'draft' OR "published_at" IS NULL) AND ("status" <> 'published' OR ("published_at" IS NOT NULL AND "has_been_public")));
ALTER TABLE "blog_post_former_addresses" ADD CONSTRAINT "blog_post_former_addresses_slug_check"
  CHECK ("slug" ~ '^[a-z0-9]+(-[a-z0-9]+)*$');
ALTER TABLE "blog_images" ADD CONSTRAINT "blog_images_size_check" CHECK ("width" > 0 AND "height" > 0);
ALTER TABLE "blog_image_files" ADD CONSTRAINT "blog_image_files_check"
  CHECK ("format" IN ('webp', 'jpeg') AND "width" > 0 AND "height" > 0 AND "size" > 0);
ALTER TABLE "remote_pictures" ADD CONSTRAINT "remote_pictures_size_check"
  CHECK (("width" IS NULL) = ("height" IS NULL) AND coalesce("width", 1) > 0 AND coalesce("height", 1) > 0);

-- The public blog: its pages, and a post's neighbours.
CREATE INDEX "blog_posts_public_idx" ON "blog_posts" ("identity_id", "published_at", "id") WHERE "status" = 'published';
-- Search in titles, and posts with a tag.
CREATE INDEX "blog_posts_title_idx" ON "blog_posts" USING gin ("identity_id", "title_key" gin_trgm_ops);
CREATE INDEX "blog_posts_tags_idx" ON "blog_posts" USING gin ("identity_id", "tags");

CREATE FUNCTION "keep_blog_post_key"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."title_key" := lower(NEW."title");
  RETURN NEW;
END $$;

CREATE TRIGGER "blog_posts_key" BEFORE INSERT OR UPDATE OF "title", "title_key" ON "blog_posts"
  FOR EACH ROW EXECUTE FUNCTION "keep_blog_post_key"();

-- Exact counts by status without counting rows, as for conversations.
ALTER TABLE "blog_post_counts" SET (fillfactor = 50);

CREATE FUNCTION "count_blog_posts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "blog_post_counts" AS counts
      SELECT "identity_id", "status", pg_backend_pid() % 16, count(*) FROM "added" GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT ("identity_id", "status", "shard") DO UPDATE SET "posts" = counts."posts" + excluded."posts";
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "blog_post_counts" AS counts
      SELECT "identity_id", "status", pg_backend_pid() % 16, -count(*) FROM "removed" GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT ("identity_id", "status", "shard") DO UPDATE SET "posts" = counts."posts" + excluded."posts";
  ELSE
    INSERT INTO "blog_post_counts" AS counts
      SELECT "identity_id", "status", pg_backend_pid() % 16, sum("change") FROM (
        SELECT "identity_id", "status", 1 AS "change" FROM "added"
        UNION ALL
        SELECT "identity_id", "status", -1 FROM "removed"
      ) "moved" GROUP BY 1, 2 HAVING sum("change") <> 0 ORDER BY 1, 2
    ON CONFLICT ("identity_id", "status", "shard") DO UPDATE SET "posts" = counts."posts" + excluded."posts";
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "blog_posts_counted_insert" AFTER INSERT ON "blog_posts"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "count_blog_posts"();
CREATE TRIGGER "blog_posts_counted_update" AFTER UPDATE ON "blog_posts"
  REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "count_blog_posts"();
CREATE TRIGGER "blog_posts_counted_delete" AFTER DELETE ON "blog_posts"
  REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "count_blog_posts"();

-- Whatever readers could see raises the version of the blog, in the transaction of the change; drafts are nobody's business.
CREATE FUNCTION "renew_blog_site"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "blog_sites" AS site ("identity_id")
      SELECT DISTINCT "identity_id" FROM "added" WHERE "status" <> 'draft' ORDER BY 1
    ON CONFLICT ("identity_id") DO UPDATE SET "version" = site."version" + 1;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "blog_sites" AS site ("identity_id")
      SELECT DISTINCT "identity_id" FROM "removed" WHERE "status" <> 'draft' ORDER BY 1
    ON CONFLICT ("identity_id") DO UPDATE SET "version" = site."version" + 1;
  ELSE
    INSERT INTO "blog_sites" AS site ("identity_id")
      SELECT "identity_id" FROM "added" WHERE "status" <> 'draft'
      UNION SELECT "identity_id" FROM "removed" WHERE "status" <> 'draft' ORDER BY 1
    ON CONFLICT ("identity_id") DO UPDATE SET "version" = site."version" + 1;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "blog_posts_renew_insert" AFTER INSERT ON "blog_posts"
  REFERENCING NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "renew_blog_site"();
CREATE TRIGGER "blog_posts_renew_update" AFTER UPDATE ON "blog_posts"
  REFERENCING OLD TABLE AS "removed" NEW TABLE AS "added" FOR EACH STATEMENT EXECUTE FUNCTION "renew_blog_site"();
CREATE TRIGGER "blog_posts_renew_delete" AFTER DELETE ON "blog_posts"
  REFERENCING OLD TABLE AS "removed" FOR EACH STATEMENT EXECUTE FUNCTION "renew_blog_site"();

-- Name, tagline and services stand on every page.
CREATE FUNCTION "renew_blog_site_of_identity"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "blog_sites" AS site ("identity_id") VALUES (NEW."id")
  ON CONFLICT ("identity_id") DO UPDATE SET "version" = site."version" + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER "identities_renew_blog_site" AFTER UPDATE OF "handle", "display_name", "profile" ON "identities"
  FOR EACH ROW WHEN (OLD."handle" IS DISTINCT FROM NEW."handle" OR OLD."display_name" IS DISTINCT FROM NEW."display_name"
    OR OLD."profile" IS DISTINCT FROM NEW."profile")
  EXECUTE FUNCTION "renew_blog_site_of_identity"();
