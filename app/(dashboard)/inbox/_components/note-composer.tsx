import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { useDraftKey } from '@/app/_kit/draft-scope';
import { readDraft } from '@/app/_kit/draft-store';
import { FormError } from '@/app/_kit/form-error';
import { PendingButton } from '@/app/_kit/pending-button';
import { TextField } from '@/app/_kit/text-field';
import { useDraftKeeper } from '@/app/_kit/use-form-draft';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { usePeople } from '../../_components/team/people';
import { completeMention, type Mentionable, mentionAt, mentionsIn, suggestionsFor } from './mentions';

interface NoteComposerProps {
  conversationId: string;
  onClose: () => void;
}

interface NoteValues {
  text: string;
}

const parseDraft = (stored: unknown): string | null => (typeof stored === 'string' && stored !== '' ? stored : null);

/** Writes an internal note. What is typed survives a reload. */
export function NoteComposer({ conversationId, onClose }: NoteComposerProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const key = useDraftKey(`note.${conversationId}`);
  const [kept] = useState(() => (key === null ? null : readDraft(key, parseDraft)));
  const form = useForm<NoteValues>({ defaultValues: { text: kept ?? '' } });
  const { failure, showError, clearFailure } = useFormErrors(form);
  const keeper = useDraftKeeper({ form, draftKey: key, draft: () => form.getValues('text') || null });
  const members = useMembers();
  const add = useMutation(
    trpc.conversations.addNote.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.conversations.notes.pathFilter()),
    }),
  );
  const submit = useSubmit(form, async ({ text }) => {
    clearFailure();
    if (text.trim() === '') return form.setError('text', { message: 'must not be empty' }, { shouldFocus: true });
    try {
      await add.mutateAsync({ conversationId, text, mentions: mentionsIn(text, members) });
      keeper.forget();
      form.reset({ text: '' });
      onClose();
    } catch (error) {
      showError(error);
    }
  });
  return (
    <form
      aria-label="Internal note"
      className="flex flex-col gap-3 bg-warning-soft px-4 py-3"
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <NoteText form={form} members={members} isDisabled={add.isPending} onSend={() => void submit()} onClose={onClose} />
      <FormError failure={failure} />
      <div className="flex flex-wrap items-center gap-3">
        <PendingButton
          type="submit"
          variant="primary"
          needs="conversations:write"
          isPending={add.isPending}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          Add note
        </PendingButton>
        <Button variant="ghost" isDisabled={add.isPending} onPress={onClose}>
          Cancel
        </Button>
        <p className="text-label text-muted">Only your team and agents see this.</p>
      </div>
    </form>
  );
}

/** Whom a note can mention. */
function useMembers(): Mentionable[] {
  const people = usePeople();
  return useMemo(() => [...(people ?? [])].map(([userId, name]) => ({ userId, name })), [people]);
}

interface NoteTextProps {
  form: ReturnType<typeof useForm<NoteValues>>;
  members: readonly Mentionable[];
  isDisabled: boolean;
  onSend: () => void;
  onClose: () => void;
}

/** The text, and below it the colleagues that a typed `@` may mean. */
function NoteText({ form, members, isDisabled, onSend, onClose }: NoteTextProps) {
  const listId = useId();
  const area = useRef<HTMLTextAreaElement | null>(null);
  const [caret, setCaret] = useState(0);
  const [active, setActive] = useState(0);
  const [isDismissed, setIsDismissed] = useState(false);
  const { ref, onChange, ...field } = form.register('text');
  const text = form.watch('text');
  const mention = mentionAt(text, caret);
  const suggestions = mention && !isDismissed ? suggestionsFor(mention.query, members) : [];
  const isOpen = suggestions.length > 0;
  const message = form.formState.errors.text?.message;

  useEffect(() => area.current?.focus(), []);

  const choose = (member: Mentionable | undefined) => {
    if (!mention || !member) return;
    const next = completeMention(text, mention, member);
    form.setValue('text', next.text, { shouldDirty: true });
    setCaret(next.caret);
    area.current?.focus();
    // After React has written the value.
    requestAnimationFrame(() => area.current?.setSelectionRange(next.caret, next.caret));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = moves[event.key];
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
    else if (event.key === 'Escape' && isOpen) setIsDismissed(true);
    else if (event.key === 'Escape') onClose();
    else if (isOpen && step !== undefined) setActive((active + step + suggestions.length) % suggestions.length);
    else if (isOpen && (event.key === 'Enter' || event.key === 'Tab')) choose(suggestions[active] ?? suggestions[0]);
    else return;
    event.preventDefault();
  };
  return (
    <div>
      <TextField
        label="Internal note"
        hideLabel
        error={message === undefined ? undefined : `Note ${message}.`}
        isInvalid={message !== undefined}
        isDisabled={isDisabled}
      >
        {(control) => (
          <textarea
            {...control}
            {...field}
            ref={(element) => {
              ref(element);
              area.current = element;
            }}
            // A textarea can't be a combobox; as a text box it may name the suggestion that Enter takes.
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-controls={isOpen ? listId : undefined}
            aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
            rows={3}
            placeholder="Write a note for your team. Type @ to mention a colleague."
            onChange={(event) => {
              void onChange(event);
              setCaret(event.target.selectionStart);
              setActive(0);
              setIsDismissed(false);
            }}
            onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
            onKeyDown={onKeyDown}
            data-slot="textarea"
            data-invalid={message === undefined ? undefined : true}
            className="textarea textarea--primary field-sizing-content max-h-[25vh] min-h-20 resize-y text-base leading-6"
          />
        )}
      </TextField>
      {isOpen && (
        <div
          id={listId}
          role="listbox"
          aria-label="Colleagues"
          className="mt-1 flex max-w-sm flex-col rounded-md border border-border bg-overlay p-1"
        >
          {suggestions.map((member, index) => (
            <div
              key={member.userId}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // Before the text loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(member);
              }}
              className={`min-h-8 cursor-pointer truncate rounded-sm px-2 py-1 text-sm max-sm:min-h-11 max-sm:py-2.5 ${index === active ? 'bg-surface-hover' : ''}`}
            >
              {member.name}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
