'use client';

import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { base64Of, pictureProblem, uploadReason } from './upload-picture';

/** Stores a picture and answers its address. Rejects with an Error whose message says why not. */
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
