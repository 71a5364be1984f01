import * as z from 'zod';
import { uuid } from '@/server/platform/fields.schema';
import { imageMaximumBytes } from './blog-image.limits';

/** Maximum body of an upload request: base64 turns three bytes into four characters. */
export const imageBodyMaximumBytes = Math.ceil((imageMaximumBytes * 4) / 3) + 4_096;

export const uploadBlogImageInput = z.object({
  content: z
    .string()
    .min(1)
    // Not zod's own check: its regular expression overflows the stack on megabytes.
    .refine((value) => value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value), {
      error: 'must be base64 (RFC 4648, section 4)',
    })
    .meta({
      description: `The file's bytes in base64: JPEG, PNG, WebP, GIF or AVIF, at most ${imageMaximumBytes / 1024 / 1024} MiB.`,
    }),
});

export const blogImageSchema = z
  .object({
    id: uuid,
    url: z.url().meta({ description: 'For `coverImageUrl`, and for pictures in the text of a post.' }),
    width: z.int().meta({ description: 'In pixels, like `height`.' }),
    height: z.int(),
  })
  .meta({ id: 'BlogImage' });

export type BlogImageRecord = z.output<typeof blogImageSchema>;

export const blogImageAnswerSchema = z.object({ success: z.literal(true), data: z.object({ image: blogImageSchema }) });
