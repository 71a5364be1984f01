import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Reply, RotateCw } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type FieldPath, useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { passDraft } from '@/app/_kit/draft-store';
import { errorFacts } from '@/app/_kit/error-facts';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { ReplyDraft } from '@/server/features/conversations/conversation.schema';
import { ComposerForm } from './composer-form';
import { replyPrompt } from './composer-labels';
import { type ComposerValues, composerSchema, initialValues, resumedValues, toReply } from './composer-values';
import { loadReply, replyDraftKey, useReplyDraft } from './use-reply-draft';

const resolver = schemaResolver<ComposerValues>(async () => composerSchema);

interface ComposerProps {
  conversationId: string;
  /** Changing the number opens and focuses the composer. */
  focusSignal: number;
}

/** Writes a reply. One line until it is opened, or until there is a draft. */
export function Composer({ conversationId, focusSignal }: ComposerProps) {
  const trpc = useTRPC();
  const conversation = useQuery(trpc.conversations.get.queryOptions({ conversationId }));
  const draft = useQuery(trpc.conversations.replyDraft.queryOptions({ conversationId }));
  const error = draft.error ?? conversation.error;
  if (conversation.data && draft.data) {
    const { identityId } = conversation.data;
    return (
      <LoadedComposer
        key={conversationId}
        conversationId={conversationId}
        identityId={identityId}
        draft={draft.data}
        seenUntil={conversation.data.lastMessageAt}
        focusSignal={focusSignal}
      />
    );
  }
  if (error && !draft.isFetching) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 p-4 text-label text-muted">
        <span>Couldn’t start a reply. {errorFacts(error).message}</span>
        <Button variant="secondary" size="sm" onPress={() => void draft.refetch()}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div role="status" aria-label="Loading the reply" className="p-4">
      <div className="h-11 rounded-md border border-border" />
    </div>
  );
}

interface LoadedComposerProps extends ComposerProps {
  identityId: string;
  draft: ReplyDraft;
  /** When the newest message on the page arrived. */
  seenUntil: string;
}

function LoadedComposer({ conversationId, identityId, draft, seenUntil, focusSignal }: LoadedComposerProps) {
  const key = replyDraftKey({ userId: useDraftScope()?.userId ?? '', identityId }, conversationId);
  const initial = useMemo(() => initialValues(draft), [draft]);
  const [kept] = useState(() => loadReply(key));
  const form = useForm<ComposerValues>({
    defaultValues: kept ? resumedValues(kept, draft) : initial,
    // Missing values are reported on sending: leaving an empty reply is not an error.
    resolver,
  });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const [isOpen, setIsOpen] = useState(kept !== null);
  const opener = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { isKept, forget } = useReplyDraft({
    form,
    draftKey: key,
    initial,
    resume: (values) => resumedValues(values, draft),
    onReceived: setIsOpen,
  });
  const send = useSendReply(draft);

  // The focus moves once the text field is rendered.
  const [focusRequests, setFocusRequests] = useState(0);
  const [seenSignal, setSeenSignal] = useState(0);
  if (focusSignal !== seenSignal) {
    setSeenSignal(focusSignal);
    setIsOpen(true);
    setFocusRequests((count) => count + 1);
  }
  useEffect(() => {
    if (focusRequests === 0) return;
    form.setFocus('text');
    // On a phone, the whole composer including its send button.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [focusRequests, form]);

  // Nothing could have the focus while sending; after a failure it goes to the first field with an error.
  const hasFailed = send.isError;
  useEffect(() => {
    if (!hasFailed) return;
    const [first = 'text'] = Object.keys(form.formState.errors);
    form.setFocus(first as FieldPath<ComposerValues>);
  }, [hasFailed, form]);

  const open = () => {
    setIsOpen(true);
    setFocusRequests((count) => count + 1);
  };
  const close = () => {
    setIsOpen(false);
    // Before it is closed, there is no opener to focus.
    requestAnimationFrame(() => opener.current?.focus());
  };
  // A retry of the same text is the same reply, even if the first one has reached the thread and only its response was lost.
  const attempt = useRef({ content: '', seenUntil });
  const submit = useSubmit(form, async (values) => {
    clearFailure();
    const content = JSON.stringify(values);
    if (attempt.current.content !== content) attempt.current = { content, seenUntil };
    try {
      await send.mutateAsync(toReply(conversationId, attempt.current.seenUntil, values));
      attempt.current = { content: '', seenUntil };
      forget();
      setIsOpen(false);
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
    undoToast({ message: 'Draft deleted', id: `discarded-${key}`, onUndo: () => passDraft(key, values) });
  };

  if (!isOpen) {
    return (
      <div data-reply className="p-4">
        <button
          ref={opener}
          type="button"
          onClick={open}
          className="flex h-11 w-full items-center gap-2.5 rounded-md border border-field-border bg-field px-3 text-left text-muted hover:border-field-border-hover"
        >
          <Reply aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 truncate">{isKept ? 'Continue draft' : replyPrompt([...draft.to, ...draft.cc])}</span>
        </button>
      </div>
    );
  }
  return (
    <div ref={box} data-reply-form className="scroll-mb-16 lg:scroll-mb-0">
      <ComposerForm
        form={form}
        draft={draft}
        failure={failure}
        isSending={send.isPending}
        isKept={isKept}
        onSend={() => void submit()}
        onDiscard={discard}
        onClose={close}
      />
    </div>
  );
}

/** Sends a reply, and invalidates conversations and the outbox. */
function useSendReply({ canSend }: { canSend: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.conversations.reply.mutationOptions({
      onSuccess: () => {
        void queryClient.invalidateQueries(trpc.conversations.pathFilter());
        void queryClient.invalidateQueries(trpc.mail.outbox.pathFilter());
        // If mail can be sent, the message that appears in the thread is confirmation enough.
        if (canSend) return;
        toast('Reply queued', {
          description: 'Outgoing email isn’t set up. Ask your administrator to set SMTP_URL.',
        });
      },
    }),
  );
}
