import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Braces, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { DialogForm } from '@/app/_kit/dialog-form';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { insertText } from '@/app/_kit/insert-text';
import { keysOf } from '@/app/_kit/keys-of';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { createSnippetInput, type Snippet } from '@/server/features/conversations/snippet.schema';
import { AttachButton } from '../../../_components/uploads/attach-button';
import { AttachmentList } from '../../../_components/uploads/attachment-list';
import { useUploads } from '../../../_components/uploads/use-uploads';
import { filesOf, type WithFiles } from '../../../_components/uploads/with-files';
import { uploadHint } from '../../../inbox/_components/composer-labels';
import { variableLabels } from './variable-labels';

interface SnippetValues extends WithFiles {
  name: string;
  text: string;
}

const resolver = schemaResolver<SnippetValues>(async () => createSnippetInput.pick({ name: true, text: true }));
const formPath = (path: string) => path.replace(/^attachmentIds\b/, 'attachments');

interface SnippetDialogProps {
  /** Null for a new one. */
  snippet: Snippet | null;
  onClose: () => void;
}

/** Creates, changes and deletes a snippet. */
export function SnippetDialog({ snippet, onClose }: SnippetDialogProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  if (snippet && isDeleting) return <DeleteDialog snippet={snippet} onClose={() => setIsDeleting(false)} onDeleted={onClose} />;
  return (
    <Dialog isOpen onOpenChange={onClose} size="lg" title={snippet ? 'Edit snippet' : 'New snippet'}>
      <SnippetForm snippet={snippet} onClose={onClose} onDelete={() => setIsDeleting(true)} />
    </Dialog>
  );
}

function SnippetForm({ snippet, onClose, onDelete }: SnippetDialogProps & { onDelete: () => void }) {
  const { name = '', text = '', attachments = [] } = snippet ?? {};
  const form = useForm<SnippetValues>({ defaultValues: { name, text, attachments }, resolver });
  const files = filesOf(form);
  const uploads = useUploads(files);
  const save = useSaveSnippet(snippet);
  const { failure, showError, showFailure, clearFailure } = useFormErrors(form, formPath);
  const { control, formState } = form;
  const missing = uploadHint(uploads.pending);
  const submit = useSubmit(form, async () => {
    clearFailure();
    try {
      // Not what the schema makes of them: the files are none of its fields.
      await save.mutateAsync(form.getValues());
      onClose();
    } catch (error) {
      const { code, requestId } = errorFacts(error);
      if (code !== 'precondition_failed') return showError(error);
      showFailure({ message: 'A colleague has changed this snippet. Save again to replace their version.', requestId });
    }
  });
  return (
    <DialogForm
      submitLabel={snippet ? 'Save changes' : 'Create snippet'}
      isPending={formState.isSubmitting}
      isDisabled={missing !== null}
      failure={failure}
      onSubmit={(event) => void submit(event)}
      onCancel={onClose}
    >
      <FormTextField
        control={control}
        name="name"
        label="Name"
        placeholder="Opening hours"
        autoComplete="off"
        autoFocus={snippet === null}
        isRequired
      />
      <div>
        <FormTextArea
          control={control}
          name="text"
          label="Text"
          rows={9}
          placeholder={'Hello {{customer.firstName|there}},'}
          className="[&_textarea]:field-sizing-content [&_textarea]:max-h-[45vh] [&_textarea]:min-h-40"
          isRequired
        />
        <div className="mt-1.5 flex flex-wrap items-center gap-1">
          <VariableMenu onChoose={(variable) => insertText(form, 'text', `{{${variable}}}`)} />
          <AttachButton isDisabled={formState.isSubmitting} onFiles={uploads.add} />
          {missing !== null && <span className="text-label text-muted">{missing}</span>}
          {snippet && (
            <Button variant="ghost" size="sm" className="ml-auto" onPress={onDelete}>
              <Trash2 aria-hidden />
              Delete snippet
            </Button>
          )}
        </div>
      </div>
      <AttachmentList form={files} uploads={uploads} />
    </DialogForm>
  );
}

/** Inserts a variable. Where it may have no value, with a text in its place to be changed. */
function VariableMenu({ onChoose }: { onChoose: (variable: string) => void }) {
  return (
    <Dropdown>
      <Button variant="secondary" size="sm">
        <Braces aria-hidden />
        Insert variable
      </Button>
      <Dropdown.Popover className="w-64">
        <Dropdown.Menu
          aria-label="Variables"
          onAction={(key) => {
            const variable = keysOf(variableLabels).find((each) => each === key);
            if (!variable) return;
            const { instead } = variableLabels[variable];
            onChoose(instead === null ? variable : `${variable}|${instead}`);
          }}
        >
          {keysOf(variableLabels).map((variable) => (
            <Dropdown.Item key={variable} id={variable} textValue={variableLabels[variable].label}>
              <span className="flex min-w-0 flex-col">
                <Dropdown.Label>{variableLabels[variable].label}</Dropdown.Label>
                <span className="font-mono text-xs text-muted">{`{{${variable}}}`}</span>
              </span>
            </Dropdown.Item>
          ))}
        </Dropdown.Menu>
      </Dropdown.Popover>
    </Dropdown>
  );
}

/** Saves a snippet, unless a colleague has changed it since it was read: then their version counts as read. */
function useSaveSnippet(snippet: Snippet | null) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [revision, setRevision] = useState(snippet?.revision ?? 0);
  return useMutation({
    mutationFn: ({ name, text, attachments }: SnippetValues) => {
      const input = { name, text, attachmentIds: attachments.map(({ id }) => id) };
      if (!snippet) return client.snippets.create.mutate(input);
      return client.snippets.update.mutate({ snippetId: snippet.id, ...input }, ifMatch(revision));
    },
    onSuccess: () => queryClient.invalidateQueries(trpc.snippets.pathFilter()),
    onError: async (error) => {
      if (!snippet || errorFacts(error).code !== 'precondition_failed') return;
      setRevision((await client.snippets.get.query({ snippetId: snippet.id })).revision);
    },
  });
}

interface DeleteDialogProps {
  snippet: Snippet;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before a snippet is deleted. */
function DeleteDialog({ snippet: { id, name }, onClose, onDeleted }: DeleteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const remove = useMutation(
    trpc.snippets.delete.mutationOptions({
      onSuccess: () => {
        onDeleted();
        return queryClient.invalidateQueries(trpc.snippets.pathFilter());
      },
      onError: (error) => toast.failure('Couldn’t delete the snippet.', error),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Delete “${name}”?`}
      description="Your team can no longer insert it. Emails that were written with it don’t change. This can’t be undone."
      confirmLabel="Delete snippet"
      tone="danger"
      isPending={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate({ snippetId: id })}
    />
  );
}
