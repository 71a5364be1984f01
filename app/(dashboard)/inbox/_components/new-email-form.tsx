import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type FieldPath, useForm } from 'react-hook-form';
import { useDraftKey } from '@/app/_kit/draft-scope';
import { passDraft } from '@/app/_kit/draft-store';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { ComposerChoices, NewEmailDraft } from '@/server/features/conversations/conversation.schema';
import type { NewEmailStart } from '../search-params';
import { parseRecipients } from './composer-addresses';
import { ComposerForm } from './composer-form';
import {
  type ComposerValues,
  composerPath,
  forwardSchema,
  newEmailSchema,
  newEmailValues,
  resumedValues,
  toNewEmail,
} from './composer-values';
import { newEmailDraftOf } from './draft-names';
import { useInbox } from './inbox-context';
import { loadDraft, useComposerDraft } from './use-composer-draft';
import { useUploads } from './use-uploads';

const newEmailResolver = schemaResolver<ComposerValues>(async () => newEmailSchema);
const forwardResolver = schemaResolver<ComposerValues>(async () => forwardSchema);

interface NewEmailFormProps {
  draft: NewEmailDraft;
  start: NewEmailStart;
}

/** The fields of a new email. What is typed survives a reload. */
export function NewEmailForm({ draft, start }: NewEmailFormProps) {
  const { open, write, close } = useInbox();
  const { forward, to = '' } = start;
  const key = useDraftKey(newEmailDraftOf(start)) ?? '';
  const initial = useMemo(() => newEmailValues(draft, parseRecipients(to)), [draft, to]);
  const [kept] = useState(() => loadDraft(key));
  const resume = (kept: ComposerValues) => resumedValues(kept, initial, draft);
  const form = useForm<ComposerValues>({
    defaultValues: kept ? resume(kept) : initial,
    resolver: forward ? forwardResolver : newEmailResolver,
  });
  const { failure, showError, clearFailure } = useFormErrors(form, composerPath);
  const { isKept, forget } = useComposerDraft({ form, draftKey: key, initial, resume, onReceived: () => undefined });
  const uploads = useUploads(form);
  const send = useSendNewEmail(draft);

  useEffect(() => form.setFocus(form.getValues('to').length === 0 ? 'to' : 'subject'), [form]);

  // Nothing could have the focus while sending; after a failure it goes to the first field with an error.
  const hasFailed = send.isError;
  useEffect(() => {
    if (!hasFailed) return;
    const [first = 'text'] = Object.keys(form.formState.errors);
    form.setFocus(first as FieldPath<ComposerValues>);
  }, [hasFailed, form]);

  const submit = useSubmit(form, async (values) => {
    clearFailure();
    try {
      const { conversation } = await send.mutateAsync(toNewEmail(values, forward));
      forget();
      open(conversation.id);
    } catch (error) {
      showError(error);
    }
  });
  const discard = () => {
    const values = structuredClone(form.getValues());
    const hasText = values.text.trim() !== '';
    forget();
    clearFailure();
    close();
    if (!hasText) return;
    const undo = () => {
      passDraft(key, values);
      write(start);
    };
    undoToast({ message: 'Draft deleted', id: `discarded-${key}`, onUndo: undo });
  };
  return (
    <ComposerForm
      kind="new"
      form={form}
      choices={draft}
      quotation={draft.forwarded?.quotation}
      uploads={uploads}
      failure={failure}
      isSending={send.isPending}
      isKept={isKept}
      onSend={() => void submit()}
      onDiscard={discard}
      onClose={close}
    />
  );
}

/** Sends a new email, and invalidates conversations and the outbox. */
function useSendNewEmail({ canSend }: ComposerChoices) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.conversations.create.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.conversations.pathFilter());
        void queryClient.invalidateQueries(trpc.mail.outbox.pathFilter());
        if (canSend) return;
        toast('Email queued', { description: 'Outgoing email isn’t set up. Ask your administrator to set SMTP_URL.' });
      },
    }),
  );
}
