import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useDraftKey } from '@/app/_kit/draft-scope';
import { errorFacts } from '@/app/_kit/error-facts';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { ComposerChoices, NewEmailDraft } from '@/server/features/conversations/composer.schema';
import { useUploads } from '../../_components/uploads/use-uploads';
import { filesOf } from '../../_components/uploads/with-files';
import { newEmailInput } from '../new-email-input';
import type { NewEmailStart } from '../search-params';
import { parseRecipients } from './composer-addresses';
import { ComposerForm } from './composer-form';
import {
  type ComposerValues,
  forwardSchema,
  fromDraft,
  newEmailSchema,
  newEmailValues,
  resumedValues,
  timingOf,
  toNewEmail,
} from './composer-values';
import { newEmailDrafts } from './draft-names';
import { useInbox } from './inbox-context';
import { useComposerActions } from './use-composer-actions';
import { type ComposerDraft, type ComposerDraftOptions, loadDraft, useComposerDraft } from './use-composer-draft';
import { useDraftApi } from './use-draft-api';
import { useSentEmail } from './use-sent-email';

const newEmailResolver = schemaResolver<ComposerValues>(async () => newEmailSchema);
const forwardResolver = schemaResolver<ComposerValues>(async () => forwardSchema);

type Start = NewEmailStart & { draft: string };

interface NewEmailFormProps {
  data: NewEmailDraft;
  start: Start;
}

/** The fields of a new email. What is typed survives a reload, and is on every device. */
export function NewEmailForm({ data, start }: NewEmailFormProps) {
  const { open, write, close } = useInbox();
  const { forward, to = '' } = start;
  const key = useDraftKey(`${newEmailDrafts}${start.draft}`) ?? '';
  const initial = useMemo(
    () => newEmailValues(data, { to: parseRecipients(to), forwardMessageId: forward ?? null }),
    [data, to, forward],
  );
  const server = useMemo(() => data.draft && fromDraft(data.draft), [data.draft]);
  const [kept] = useState(() => loadDraft(key)?.values ?? server?.values ?? null);
  const resume = (values: ComposerValues) => resumedValues(values, initial, data);
  const isForward = (kept ?? initial).forwardMessageId !== null;
  const form = useForm<ComposerValues>({
    defaultValues: kept ? resume(kept) : initial,
    resolver: isForward ? forwardResolver : newEmailResolver,
  });
  const keeping = useNewEmailDraft({ start, form, draftKey: key, initial, server, resume, onReceived: () => undefined });
  const uploads = useUploads(filesOf(form));
  const send = useSendNewEmail(data);

  useEffect(() => form.setFocus(form.getValues('to').length === 0 ? 'to' : 'subject'), [form]);

  const { failure, submit, discard } = useComposerActions({
    ...{ form, draftKey: key, draft: keeping, hasFailed: send.isError },
    send: async (values, later) => {
      const input = { ...toNewEmail(values), ...timingOf(data, later), draftId: await keeping.settle(values) };
      const { conversation } = await send.mutateAsync(input);
      return () => open(conversation.id);
    },
    onClose: close,
    onRestored: () => write(start),
  });
  return (
    <ComposerForm
      kind="new"
      form={form}
      choices={data}
      quotation={data.forwarded?.quotation}
      uploads={uploads}
      failure={failure}
      isSending={send.isPending}
      draft={keeping}
      onSend={submit}
      onDiscard={discard}
      onClose={close}
    />
  );
}

type NewEmailDraftOptions = Omit<ComposerDraftOptions, 'api' | 'refetch' | 'draftId'> & { start: Start };

/** Keeps the draft of a new email; see `useComposerDraft`. */
function useNewEmailDraft({ start, ...options }: NewEmailDraftOptions): ComposerDraft {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const draftId = start.draft;
  const { queryKey } = trpc.conversations.newEmailDraft.queryOptions(newEmailInput(start));
  const api = useDraftApi({
    conversationId: null,
    load: () => client.drafts.get.query({ draftId }).catch(nullIfGone),
    store: (draft) => queryClient.setQueryData(queryKey, (data) => data && { ...data, draft }),
  });
  return useComposerDraft({ ...options, draftId, api, refetch: () => void queryClient.invalidateQueries({ queryKey }) });
}

function nullIfGone(error: unknown): null {
  if (errorFacts(error).code === 'not_found') return null;
  throw error;
}

function useSendNewEmail(choices: ComposerChoices) {
  const trpc = useTRPC();
  const afterwards = useSentEmail('new', choices);
  return useMutation(trpc.conversations.create.mutationOptions({ onSuccess: ({ message }) => afterwards(message) }));
}
