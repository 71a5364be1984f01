import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { uploadReason } from '@/app/_kit/file-upload';
import { useTRPCClient } from '@/app/_trpc/client';
import { uploadMaximumBytes } from '@/server/features/conversations/message.schema';
import { attachmentProblems } from './upload-rules';
import type { WithFiles } from './with-files';

/** A file that is not uploaded yet, or can't be. */
export interface PendingUpload {
  key: number;
  file: File;
  /** The part that is uploaded, 0 to 1. */
  progress: number;
  /** Why it can't be attached; null while it waits or is being uploaded. */
  problem: string | null;
  /** False for one that the rules of attachments refuse. */
  canRetry: boolean;
  onUploaded?: ((attachment: Attachment) => void) | undefined;
}

type Attachment = WithFiles['attachments'][number];

export interface Uploads {
  pending: readonly PendingUpload[];
  /** @param onUploaded called with each file that has become an attachment */
  add: (files: readonly File[], onUploaded?: (attachment: Attachment) => void) => void;
  /** Cancels an upload, or removes one that failed. */
  remove: (key: number) => void;
  retry: (key: number) => void;
}

/** How many files are uploaded at once: a browser allows a page six connections to its server. */
const concurrent = 2;

let lastKey = 0;

/** Uploads files; those that are uploaded become attachments of the form. Leaving the page cancels what is under way. */
export function useUploads(form: UseFormReturn<WithFiles>): Uploads {
  const client = useTRPCClient();
  const [pending, setPending] = useState<readonly PendingUpload[]>([]);
  const running = useRef(new Map<number, AbortController>());
  /** Those that were started, until they are tried again: the list can be a moment behind. */
  const started = useRef(new Set<number>());

  const change = (key: number, changes: Partial<PendingUpload>) =>
    setPending((uploads) => uploads.map((upload) => (upload.key === key ? { ...upload, ...changes } : upload)));
  const drop = (key: number) => setPending((uploads) => uploads.filter((upload) => upload.key !== key));

  const upload = async ({ key, file, onUploaded }: PendingUpload) => {
    const controller = new AbortController();
    running.current.set(key, controller);
    started.current.add(key);
    const context = { file, onProgress: (progress: number) => change(key, { progress }) };
    try {
      // The end of a name says what the file is.
      const input = { filename: file.name.slice(-255) };
      const uploaded = await client.conversations.uploadAttachment.mutate(input, { signal: controller.signal, context });
      const { id, filename, contentType, size } = uploaded;
      const attachment = { id, filename, contentType, size };
      drop(key);
      if (controller.signal.aborted) return;
      form.setValue('attachments', [...form.getValues('attachments'), attachment], { shouldDirty: true });
      onUploaded?.(attachment);
    } catch (error) {
      if (!controller.signal.aborted) change(key, { problem: uploadReason(error, uploadMaximumBytes) });
    } finally {
      running.current.delete(key);
    }
  };
  const start = useEffectEvent(() => {
    const waiting = pending.filter(({ key, problem }) => problem === null && !started.current.has(key));
    for (const next of waiting.slice(0, concurrent - running.current.size)) void upload(next);
  });
  useEffect(() => {
    if (pending.length > 0) start();
  }, [pending]);

  useEffect(() => {
    const { current } = running;
    return () => {
      for (const controller of current.values()) controller.abort();
    };
  }, []);

  return {
    pending,
    add: (files, onUploaded) => {
      const present = [...form.getValues('attachments'), ...pending.filter(({ problem }) => !problem).map(({ file }) => file)];
      const problems = attachmentProblems(files, present);
      const added = files.map((file, index) => {
        const problem = problems[index] ?? null;
        return { key: ++lastKey, file, progress: 0, problem, canRetry: problem === null, onUploaded };
      });
      setPending([...pending, ...added]);
    },
    remove: (key) => {
      running.current.get(key)?.abort();
      drop(key);
    },
    retry: (key) => {
      started.current.delete(key);
      change(key, { progress: 0, problem: null });
    },
  };
}
