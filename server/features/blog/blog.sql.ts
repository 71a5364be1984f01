/** Posts, for queries of other features. */

export const blogPosts = '(SELECT id, identity_id, title, status, created_at, updated_at FROM blog_posts)';

export const blogPostCounts = '(SELECT identity_id, status, posts FROM blog_post_counts)';

export const blogImageFiles = '(SELECT sha256, size FROM blog_image_files)';

export const postSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM blog_posts r)';
