import * as z from 'zod';
import { base64, base64BodyMaximum, recordId } from '@/server/platform/fields.schema';
import { imageMaximumBytes } from './blog-image.limits';

/** Maximum body of an upload request. */
export const imageBodyMaximumBytes = base64BodyMaximum(imageMaximumBytes);

export const uploadBlogImageInput = z.object({
  content: base64(`The file's bytes in base64: JPEG, PNG, WebP, GIF or AVIF, at most ${imageMaximumBytes / 1024 / 1024} MiB.`),
});

export const blogImageSchema = z
  .object({
    id: recordId,
    url: z.url().meta({ description: 'For `coverImageUrl`, and for images in the text of a post.' }),
    width: z.int().meta({ description: 'In pixels, like `height`.' }),
    height: z.int(),
  })
  .meta({ id: 'BlogImage' });

export type BlogImageRecord = z.output<typeof blogImageSchema>;

export const blogImageAnswerSchema = z.object({ success: z.literal(true), data: z.object({ image: blogImageSchema }) });
