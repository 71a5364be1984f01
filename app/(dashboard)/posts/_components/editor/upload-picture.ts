import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { useTRPC } from '@/app/_trpc/client';
import { imageMaximumBytes } from '@/server/features/blog/blog-image.limits';

/** The types a file chooser offers; the server checks the bytes. */
export const pictureTypes = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

/** Why a file can't be uploaded; null if it can. */
export function pictureProblem({ size }: Pick<File, 'size'>): string | null {
  if (size === 0) return 'The file is empty.';
  if (size <= imageMaximumBytes) return null;
  const tenths = Math.ceil((size / 1024 / 1024) * 10) / 10;
  return `${tenths} MB is over the ${imageMaximumBytes / 1024 / 1024} MB limit.`;
}

/** A file's bytes in base64 (RFC 4648, section 4). */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    // A data URL: its type, a comma, its bytes.
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.readAsDataURL(file);
  });
}

/** Why an upload failed, as a sentence. */
export function uploadReason(error: unknown): string {
  if (error instanceof DOMException) return 'Couldn’t read the file. It may have been moved or deleted.';
  const { code, message, fields } = errorFacts(error);
  if (code === 'payload_too_large') return `The file is over the ${imageMaximumBytes / 1024 / 1024} MB limit.`;
  const reason = fields.content;
  if (reason) return /^[A-Z]/.test(reason) ? reason : `The file ${reason}.`;
  return message;
}

/** Stores a picture and resolves to its URL. Rejects with an Error whose message is the reason. */
export function useUploadPicture(): (file: File) => Promise<string> {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.blog.uploadImage.mutationOptions({ networkMode: 'always' }));
  return useCallback(
    async (file) => {
      const problem = pictureProblem(file);
      if (problem) throw new Error(problem);
      try {
        const { data } = await mutateAsync({ content: await base64Of(file) });
        return data.image.url;
      } catch (error) {
        throw new Error(uploadReason(error), { cause: error });
      }
    },
    [mutateAsync],
  );
}
