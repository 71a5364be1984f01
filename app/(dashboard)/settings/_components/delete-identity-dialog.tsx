import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { QueryResult } from '@/app/_kit/query-result';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { IdentityContents } from '@/server/features/accounts/account.schema';
import { contentsLabel } from './contents-label';

/** Lists what is deleted with a business, and deletes it once its name is typed. */
export function DeleteIdentityDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const [isDeleting, setDeleting] = useState(false);
  const contents = useQuery(trpc.account.identityContents.queryOptions({}, { staleTime: 0, refetchOnWindowFocus: false }));
  const name = contents.data ? contents.data.displayName || contents.data.handle : 'this business';
  return (
    <Dialog isOpen onOpenChange={onClose} isDismissable={!isDeleting} title={`Delete ${name}?`} role="alertdialog">
      <QueryResult query={contents} failure="Couldn’t load what will be deleted" loading="Loading what will be deleted">
        {(data) => <DeleteForm contents={data} onClose={onClose} onDeleting={setDeleting} />}
      </QueryResult>
    </Dialog>
  );
}

interface DeleteFormProps {
  contents: IdentityContents;
  onClose: () => void;
  onDeleting: (isDeleting: boolean) => void;
}

function DeleteForm({ contents, onClose, onDeleting }: DeleteFormProps) {
  const trpc = useTRPC();
  const remove = useMutation(trpc.account.deleteIdentity.mutationOptions());
  const form = useForm<{ name: string }>({ defaultValues: { name: '' } });
  const { handle, displayName } = contents;
  const name = displayName?.trim() || handle;

  const { failure, submit } = useFormSubmit(form, async (typed) => {
    if (typed.name.trim() !== name) {
      form.setError('name', { type: 'server', message: `must be ${name}` }, { shouldFocus: true });
      return;
    }
    onDeleting(true);
    try {
      await remove.mutateAsync({ handle });
      // A full load: nothing of the business may stay in memory.
      window.location.assign('/');
    } catch (error) {
      onDeleting(false);
      throw error;
    }
  });

  return (
    <DialogForm
      submitLabel="Delete permanently"
      tone="danger"
      isPending={remove.isPending || remove.isSuccess}
      failure={failure}
      onSubmit={submit}
      onCancel={onClose}
    >
      <div className="rounded-md bg-danger-soft px-3 py-2 text-danger-text">
        <p>This can’t be undone. Permanently deletes:</p>
        <ul aria-label="What will be deleted" className="mt-1 list-disc pl-5">
          {contentsLabel(contents).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </div>
      <FormTextField
        control={form.control}
        name="name"
        label="Business name"
        description={
          <>
            Type <span className="font-medium select-all">{name}</span> to confirm.
          </>
        }
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        isRequired
      />
    </DialogForm>
  );
}
