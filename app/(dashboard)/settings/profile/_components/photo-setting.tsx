import { useMutation } from '@tanstack/react-query';
import { ImageUp, LoaderCircle, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { base64Of, fileProblem, uploadReason } from '@/app/_kit/file-upload';
import { PersonAvatar } from '@/app/_kit/person-avatar';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { photoMaximumBytes } from '@/server/features/accounts/account.limits';
import type { Account } from '@/server/features/accounts/account.schema';
import { useRefreshAccount } from './use-refresh-account';

/** The photo: uploaded, replaced or removed, each at once. */
export function PhotoSetting({ user }: { user: Account['user'] }) {
  const trpc = useTRPC();
  const refresh = useRefreshAccount();
  const chooser = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = useMutation(trpc.account.setPhoto.mutationOptions({ networkMode: 'always' }));
  const remove = useMutation(
    trpc.account.removePhoto.mutationOptions({
      onSuccess: refresh,
      onError: (error) => toast.failure('The photo was not removed.', error),
    }),
  );
  const [isUploading, setUploading] = useState(false);
  const isBusy = isUploading || remove.isPending;

  const store = async (file: File | undefined) => {
    if (!file || isBusy) return;
    const refusal = fileProblem(file, photoMaximumBytes);
    setProblem(refusal);
    if (refusal) return;
    setUploading(true);
    try {
      await upload.mutateAsync({ content: await base64Of(file) });
      await refresh();
    } catch (error) {
      setProblem(uploadReason(error, photoMaximumBytes));
    } finally {
      setUploading(false);
    }
  };

  return (
    <SectionCard title="Photo" description="Shown to the people you work with, never in public.">
      <div className="flex flex-wrap items-center gap-4">
        <PersonAvatar name={user.displayName.trim() || user.email} photoUrl={user.photoUrl} size="lg" />
        <div className="flex min-w-0 flex-col gap-2">
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" isDisabled={isBusy} onPress={() => chooser.current?.click()}>
              {isUploading ? <LoaderCircle aria-hidden className="animate-spin" /> : <ImageUp aria-hidden />}
              {isUploading ? 'Uploading…' : user.photoUrl === null ? 'Upload photo' : 'Replace'}
            </Button>
            {user.photoUrl !== null && (
              <Button variant="ghost" size="sm" isDisabled={isBusy} onPress={() => remove.mutate({})}>
                <Trash2 aria-hidden />
                Remove photo
              </Button>
            )}
          </div>
          <p className="text-xs text-muted">JPEG, PNG or WebP, up to 5 MB. The middle is cut to a square.</p>
        </div>
      </div>
      <span role="status" className="sr-only">
        {isUploading ? 'Uploading photo' : ''}
      </span>
      {problem && (
        <p role="alert" className="mt-3 text-label text-danger-text">
          Couldn’t upload the photo. {problem}
        </p>
      )}
      <input
        ref={chooser}
        type="file"
        accept="image/jpeg,image/png,image/webp"
        hidden
        aria-label="Photo to upload"
        onChange={(event) => {
          void store(event.target.files?.[0]);
          // Allows the same file to be chosen again.
          event.target.value = '';
        }}
      />
    </SectionCard>
  );
}
