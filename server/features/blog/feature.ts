import { feature } from '@/server/platform/feature';
import { blogErrors } from './blog.errors';
import { blogRouter } from './blog.router';
import { pictureMeasurement } from './remote-picture.service';
import { blogRoute } from './site/http/public-blog';

export const blog = feature({
  name: 'blog',
  routers: { blog: blogRouter },
  httpRoutes: [blogRoute],
  jobs: [pictureMeasurement],
  api: {
    tags: [{ name: 'Blog', description: 'Posts in Markdown, and the settings of the public blog.' }],
    errors: blogErrors,
  },
  tables: [
    {
      names: [
        'blog_posts',
        'blog_post_former_addresses',
        'blog_post_counts',
        'blog_sites',
        'blog_images',
        'blog_image_files',
        'remote_pictures',
      ],
    },
  ],
});
