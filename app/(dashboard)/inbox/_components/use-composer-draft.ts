import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { v7 as newUuid } from 'uuid';
import * as z from 'zod';
import { type DraftScope, draftKey, followDraft, passDraft, readDraft, removeDraft } from '@/app/_kit/draft-store';
import { useDraftKeeper } from '@/app/_kit/use-form-draft';
import { type ComposerValues, composerValuesSchema, isSameEmail } from './composer-values';
import { replyDrafts } from './draft-names';
import { type DraftApi, type DraftClash, type DraftState, DraftSync, type ServerDraft } from './draft-sync';

export const replyDraftKey = (scope: DraftScope, conversationId: string) => draftKey(scope, `${replyDrafts}${conversationId}`);

/** A draft in this browser, until the server has it. */
const keptSchema = z.object({
  id: z.string(),
  /** What it is based on. */
  revision: z.number().nullable(),
  values: composerValuesSchema,
  /** It was deleted, and is back. */
  isRestored: z.boolean().optional(),
});

export type KeptDraft = z.output<typeof keptSchema>;

/** Parses a stored entry; null if it has another format. Versions before 0.10 stored the values alone. */
function parseStored(stored: unknown): KeptDraft | null {
  const kept = keptSchema.safeParse(stored).data;
  if (kept) return kept;
  const values = composerValuesSchema.safeParse(stored).data;
  return values ? { id: newUuid(), revision: null, values } : null;
}

/** The email stored under a key; null if there is none or the storage can't be read. */
export const loadDraft = (key: string): KeptDraft | null => readDraft(key, parseStored);

export interface ComposerDraftOptions {
  form: UseFormReturn<ComposerValues>;
  /** Of the entry in this browser. */
  draftKey: string;
  /** The values of an email that is not begun; identical ones are no draft. */
  initial: ComposerValues;
  /** The draft as it was fetched last. */
  server: ServerDraft<ComposerValues> | null;
  api: DraftApi<ComposerValues>;
  /** Always the same, for a draft that has a page of its own. */
  draftId?: string;
  /** Fetches the draft again. */
  refetch: () => void;
  /** Adapts a draft to the choices available now. */
  resume: (draft: ComposerValues) => ComposerValues;
  /** Another tab or device, or an undo, brought a draft (true) or removed it (false). */
  onReceived: (isThere: boolean) => void;
}

/**
 * Keeps an email on the server while it is written, and in this browser until the server has it. The form follows other tabs and
 * devices while nothing is typed in it.
 */
export function useComposerDraft(options: ComposerDraftOptions) {
  const { form, draftKey: key, initial, server } = options;
  const [state, setState] = useState<DraftState>('saved');
  const [clash, setClash] = useState<DraftClash<ComposerValues> | null>(null);
  const [isKept, setIsKept] = useState(() => loadDraft(key) !== null);
  /** Whether something was typed here since the form was last filled from elsewhere. */
  const isTouched = useRef(false);
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });

  const fill = (values: ComposerValues | null) => {
    const { form, initial, resume, onReceived } = latest.current;
    isTouched.current = false;
    form.reset(values ? resume(values) : initial);
    onReceived(values !== null);
  };
  const [sync] = useState<DraftSync<ComposerValues>>(() => {
    const created: DraftSync<ComposerValues> = new DraftSync({
      api: {
        save: (...args) => latest.current.api.save(...args),
        load: () => latest.current.api.load(),
        remove: (id) => latest.current.api.remove(id),
      },
      ...{ server, newId: () => options.draftId ?? newUuid(), isSame: isSameEmail, onClash: setClash, onReplaced: fill },
      onState: (next) => {
        setState(next);
        if (next !== 'saved') return;
        isTouched.current = false;
        dropKept(key, created);
      },
    });
    return created;
  });
  const draftOf = (values: ComposerValues) => (isSameEmail(values, latest.current.initial) ? null : values);

  const keeper = useDraftKeeper({
    form,
    draftKey: key,
    draft: () => {
      const values = draftOf(form.getValues());
      if (values === null || (sync.saved && isSameEmail(values, sync.saved))) return null;
      return { id: sync.id, revision: sync.revision, values } satisfies KeptDraft;
    },
    onTyped: () => {
      isTouched.current = true;
      sync.touch(draftOf(structuredClone(form.getValues())));
    },
    onKept: setIsKept,
  });

  useEffect(() => {
    sync.begin();
    const kept = loadDraft(key);
    if (kept) sync.resume(kept.values, kept.id, kept.revision);
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') sync.saveNow();
    };
    window.addEventListener('online', sync.saveNow);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      window.removeEventListener('online', sync.saveNow);
      document.removeEventListener('visibilitychange', onVisibility);
      sync.end();
    };
  }, [key, sync]);

  const receive = useEffectEvent((kept: KeptDraft | null) => {
    // The other tab has saved, sent or deleted it.
    if (kept === null) return options.refetch();
    if (isTouched.current) return;
    fill(kept.values);
    if (kept.isRestored) sync.touch(kept.values);
  });
  useEffect(() => followDraft(key, (stored) => receive(parseStored(stored))), [key]);

  // Repeated without an answer, an email names the same draft: with another one, it would be another email (docs/adr/0012).
  const attempt = useRef<{ content: string; draftId: string | undefined }>({ content: '', draftId: undefined });

  useEffect(() => {
    // While it is not known whether the email was sent, it stays in the form, to be sent again.
    if (server !== null || attempt.current.content === '') sync.receive(server);
  }, [sync, server]);

  // New mail may have changed the recipients of a reply; an untouched reply follows.
  const follow = useEffectEvent(() => {
    if (!isTouched.current && sync.saved === null && !isKept && !isSameEmail(form.getValues(), initial)) form.reset(initial);
  });
  useEffect(() => {
    if (initial) follow();
  }, [initial]);

  const reset = () => {
    isTouched.current = false;
    keeper.forget();
    form.reset(initial);
  };
  return {
    clash,
    keepMine: () => sync.keepMine(),
    takeTheirs: () => sync.takeTheirs(),
    /** Whether the email survives a reload, and where. */
    keptOn: state === 'saved' && sync.saved !== null ? ('server' as const) : isKept ? ('device' as const) : null,
    /** Waits until nothing of the draft is under way. @returns the id of the draft that is sent with these values, if there is one */
    settle: async (values: ComposerValues) => {
      const draftId = await sync.settle();
      const content = JSON.stringify(values);
      if (attempt.current.content !== content) attempt.current = { content, draftId };
      return attempt.current.draftId;
    },
    /** Goes on saving, after sending has failed. */
    goOn: () => sync.touch(draftOf(structuredClone(form.getValues()))),
    /** The email was sent, and its draft deleted with that. */
    forget: () => {
      const isAnother = sync.revision !== null && sync.id !== attempt.current.draftId;
      if (isAnother) sync.discard();
      else sync.forget();
      attempt.current.content = '';
      reset();
    },
    /** Deletes the draft. @returns brings it back, also if the form is gone by then */
    discard: () => {
      const kept = { id: sync.id, revision: null, values: structuredClone(form.getValues()), isRestored: true };
      attempt.current.content = '';
      sync.discard();
      reset();
      return () => passDraft(key, kept satisfies KeptDraft);
    },
  };
}

export type ComposerDraft = ReturnType<typeof useComposerDraft>;

/** Removes the entry of this browser, unless it has more than the server. */
function dropKept(key: string, { saved }: DraftSync<ComposerValues>): void {
  const kept = loadDraft(key);
  if (kept && saved && isSameEmail(kept.values, saved)) removeDraft(key);
}
