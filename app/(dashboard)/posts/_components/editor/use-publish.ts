'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { PostSession } from './post-session';

/**
 * Saves what stands in the editor and then shows it to readers; published posts are only saved, which shows them too.
 *
 * @param onProblem called where a field keeps it from being saved
 */
export function usePublish(session: PostSession, onProblem: () => void) {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.blog.publish.mutationOptions({ networkMode: 'always' }));
  const [isPublishing, setIsPublishing] = useState(false);

  const save = async () => {
    const isSaved = await session.save();
    if (!isSaved && Object.keys(session.view().fieldErrors).length > 0) onProblem();
    return isSaved;
  };
  const publish = async () => {
    setIsPublishing(true);
    try {
      // Nothing is typed between the two that would be left out: what is typed meanwhile is shown as not live.
      if (!(await save())) return;
      const { post } = session.view();
      if (!post) return;
      const published = (await mutateAsync({ postId: post.id })).data.post;
      session.adopt(published);
      const { url } = published;
      toast.success('Post published', {
        ...(url === null
          ? {}
          : { description: url, action: { label: 'View', onClick: () => window.open(url, '_blank', 'noopener') } }),
        id: `post-${post.id}`,
        duration: 8_000,
      });
    } catch (error) {
      toast.error(`The post was not published. ${errorFacts(error).message}`);
    } finally {
      setIsPublishing(false);
    }
  };
  return { save, publish, isPublishing };
}
