import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { type LabelColor, labelColors } from '@/server/features/conversations/label.limits';
import { createLabelInput, type Label } from '@/server/features/conversations/label.schema';

interface LabelValues {
  name: string;
  color: LabelColor;
}

const resolver = schemaResolver<LabelValues>(async () => createLabelInput);

const colorOptions = labelColors.map((value) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) }));

interface LabelDialogProps {
  /** Null for a new one. */
  label: Label | null;
  onClose: () => void;
  onSaved?: (label: Label) => void;
}

/** Creates, changes and deletes a label. */
export function LabelDialog({ label, onClose, onSaved }: LabelDialogProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  if (label && isDeleting) return <DeleteDialog label={label} onClose={() => setIsDeleting(false)} onDeleted={onClose} />;
  return (
    <Dialog isOpen size="sm" onOpenChange={onClose} title={label ? 'Edit label' : 'New label'}>
      <LabelForm label={label} onClose={onClose} {...(onSaved && { onSaved })} onDelete={() => setIsDeleting(true)} />
    </Dialog>
  );
}

function LabelForm({ label, onClose, onSaved, onDelete }: LabelDialogProps & { onDelete: () => void }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const form = useForm<LabelValues>({ defaultValues: { name: label?.name ?? '', color: label?.color ?? 'blue' }, resolver });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const save = useMutation({
    mutationFn: (values: LabelValues) =>
      label ? client.labels.update.mutate({ labelId: label.id, ...values }) : client.labels.create.mutate(values),
    // Conversations show labels.
    onSuccess: () =>
      Promise.all([trpc.labels, trpc.conversations].map((each) => queryClient.invalidateQueries(each.pathFilter()))),
  });
  const submit = useSubmit(form, async (values) => {
    clearFailure();
    try {
      const saved = await save.mutateAsync(values);
      onSaved?.(saved);
      onClose();
    } catch (error) {
      showError(error);
    }
  });
  return (
    <DialogForm
      submitLabel={label ? 'Save changes' : 'Create label'}
      isPending={form.formState.isSubmitting}
      failure={failure}
      onSubmit={(event) => void submit(event)}
      onCancel={onClose}
    >
      <FormTextField
        control={form.control}
        name="name"
        label="Name"
        placeholder="Repairs"
        autoComplete="off"
        autoFocus={label === null}
        isRequired
      />
      <FormSelect control={form.control} name="color" label="Color" options={colorOptions} />
      {label && (
        <Button variant="ghost" size="sm" className="self-start" onPress={onDelete}>
          <Trash2 aria-hidden />
          Delete label
        </Button>
      )}
    </DialogForm>
  );
}

interface DeleteDialogProps {
  label: Label;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a label is deleted. */
function DeleteDialog({ label: { id, name }, onClose, onDeleted }: DeleteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.labels.delete.mutationOptions({
      onSuccess: async () => {
        onDeleted();
        await Promise.all([trpc.labels, trpc.conversations].map((each) => queryClient.invalidateQueries(each.pathFilter())));
      },
      onError: (error) => toast.failure('Couldn’t delete the label.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Delete “${name}”?`}
      description="It is removed from all conversations, which stay. This can’t be undone."
      confirmLabel="Delete label"
      tone="danger"
      isPending={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate({ labelId: id })}
    />
  );
}
