import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { base64Of, fileProblem, uploadReason } from '@/app/_kit/file-upload';
import { useTRPC } from '@/app/_trpc/client';
import { imageMaximumBytes } from '@/server/features/blog/blog-image.limits';

/** The types a file chooser offers; the server checks the bytes. */
export const pictureTypes = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

/** Stores a picture and resolves to its URL. Rejects with an Error whose message is the reason. */
export function useUploadPicture(): (file: File) => Promise<string> {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.blog.uploadImage.mutationOptions({ networkMode: 'always' }));
  return useCallback(
    async (file) => {
      const problem = fileProblem(file, imageMaximumBytes);
      if (problem) throw new Error(problem);
      try {
        const { data } = await mutateAsync({ content: await base64Of(file) });
        return data.image.url;
      } catch (error) {
        throw new Error(uploadReason(error, imageMaximumBytes), { cause: error });
      }
    },
    [mutateAsync],
  );
}
