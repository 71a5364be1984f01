import { useMutation, useQuery } from '@tanstack/react-query';
import { Reply, RotateCw, StickyNote } from 'lucide-react';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button, Pressable } from '@/app/_kit/button';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { errorFacts } from '@/app/_kit/error-facts';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { useTRPC } from '@/app/_trpc/client';
import type { ReplyDraft } from '@/server/features/conversations/composer.schema';
import type { Presence } from '@/server/features/conversations/conversation.schema';
import { useUploads } from '../../_components/uploads/use-uploads';
import { filesOf } from '../../_components/uploads/with-files';
import { ComposerForm } from './composer-form';
import { replyPrompt } from './composer-labels';
import { type ComposerValues, fromDraft, replySchema, replyValues, resumedValues, timingOf } from './composer-values';
import { useComposerActions } from './use-composer-actions';
import { loadDraft, replyDraftKey } from './use-composer-draft';
import { useGuardedReply } from './use-guarded-reply';
import { useReplyDraft } from './use-reply-draft';
import { useSentEmail } from './use-sent-email';

const resolver = schemaResolver<ComposerValues>(async () => replySchema);

interface ComposerProps {
  conversationId: string;
  /** Changing the number opens and focuses the composer. */
  focusSignal: number;
  /** Opens the composer of internal notes. */
  onNote: () => void;
  /** What the other members do in the conversation. */
  others: Presence['others'];
  /** Called when the person begins to answer, and when they stop. */
  onAnswering: (isAnswering: boolean) => void;
}

/** Writes a reply. One line until it is opened, or until there is a draft. */
export function Composer(props: ComposerProps) {
  const { conversationId } = props;
  const trpc = useTRPC();
  const conversation = useQuery(trpc.conversations.get.queryOptions({ conversationId }));
  const draft = useQuery(trpc.conversations.replyDraft.queryOptions({ conversationId }));
  const error = draft.error ?? conversation.error;
  if (conversation.data && draft.data) {
    const { identityId } = conversation.data;
    return (
      <LoadedComposer
        key={conversationId}
        {...props}
        identityId={identityId}
        draft={draft.data}
        newest={conversation.data.lastMessageAt}
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
  newest: string;
}

function LoadedComposer(props: LoadedComposerProps) {
  const { conversationId, identityId, draft, newest, focusSignal, onNote, others, onAnswering } = props;
  const key = replyDraftKey({ userId: useDraftScope()?.userId ?? '', identityId }, conversationId);
  const initial = useMemo(() => replyValues(draft), [draft]);
  const server = useMemo(() => draft.draft && fromDraft(draft.draft), [draft.draft]);
  const [kept] = useState(() => loadDraft(key)?.values ?? server?.values ?? null);
  const resume = (values: ComposerValues) => resumedValues(values, initial, draft);
  const form = useForm<ComposerValues>({
    defaultValues: kept ? resume(kept) : initial,
    // Missing values are reported on sending: leaving an empty reply is not an error.
    resolver,
  });
  const [isOpen, setIsOpen] = useState(kept !== null);
  const opener = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const keeping = useReplyDraft({ conversationId, form, draftKey: key, initial, server, resume, onReceived: setIsOpen });
  const uploads = useUploads(filesOf(form));
  const send = useSendReply(draft);
  const guarded = useGuardedReply({
    ...{ conversationId, newest, others },
    send: async (reply) => send.mutateAsync({ ...reply, draftId: await keeping.settle(form.getValues()) }),
  });

  // A draft that is only shown is no answer under way.
  const noteAnswering = useEffectEvent(onAnswering);
  const endAnswer = useEffectEvent(() => {
    guarded.endWriting();
    onAnswering(false);
  });
  useEffect(() => {
    if (!isOpen) endAnswer();
  }, [isOpen]);

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
    noteAnswering(true);
    form.setFocus('text');
    // On a phone, the whole composer including its send button.
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [focusRequests, form]);

  const open = () => {
    setIsOpen(true);
    setFocusRequests((count) => count + 1);
  };
  const close = () => {
    setIsOpen(false);
    // Before it is closed, there is no opener to focus.
    requestAnimationFrame(() => opener.current?.focus());
  };
  const { failure, submit, discard } = useComposerActions({
    ...{ form, draftKey: key, draft: keeping, hasFailed: send.isError },
    send: async (values, later) => ((await guarded.sendReply(values, timingOf(draft, later))) ? () => setIsOpen(false) : null),
    onClose: close,
  });

  if (!isOpen) {
    return (
      <div data-reply className="flex gap-2 p-4">
        <Pressable
          ref={opener}
          needs="conversations:send"
          onPress={open}
          className="flex h-11 min-w-0 flex-1 items-center gap-2.5 rounded-md border border-field-border bg-field px-3 text-left text-muted hover:border-field-border-hover"
        >
          <Reply aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 truncate">{keeping.keptOn ? 'Continue draft' : replyPrompt([...draft.to, ...draft.cc])}</span>
        </Pressable>
        <Button
          variant="secondary"
          needs="conversations:write"
          aria-keyshortcuts="i"
          title="Add internal note (i)"
          className="h-11! shrink-0"
          onPress={onNote}
        >
          <StickyNote aria-hidden />
          Note
        </Button>
      </div>
    );
  }
  return (
    <div
      ref={box}
      data-reply-form
      className="scroll-mb-16 lg:scroll-mb-0"
      onInput={() => {
        guarded.noteWriting();
        onAnswering(true);
      }}
    >
      <ComposerForm
        kind="reply"
        form={form}
        choices={draft}
        all={draft}
        uploads={uploads}
        failure={failure}
        isSending={send.isPending}
        draft={keeping}
        onSend={submit}
        onDiscard={discard}
        onClose={close}
      />
      {guarded.warning}
    </div>
  );
}

function useSendReply(choices: ReplyDraft) {
  const trpc = useTRPC();
  const afterwards = useSentEmail('reply', choices);
  return useMutation(trpc.conversations.reply.mutationOptions({ onSuccess: (message) => afterwards(message) }));
}
