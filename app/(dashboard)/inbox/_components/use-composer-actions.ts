import { useEffect, useRef } from 'react';
import type { FieldPath, UseFormReturn } from 'react-hook-form';
import { undoToast } from '@/app/_kit/undo-toast';
import { useFormErrors, useSubmit } from '@/app/_kit/use-form-errors';
import { type ComposerValues, composerPath, type SendLater } from './composer-values';
import type { ComposerDraft } from './use-composer-draft';

interface ComposerActionsOptions {
  form: UseFormReturn<ComposerValues>;
  draft: ComposerDraft;
  /** Of the draft in this browser. */
  draftKey: string;
  /** True once the server has refused the email. */
  hasFailed: boolean;
  /** @returns what follows once it was sent; null if the person would rather read on first */
  send: (values: ComposerValues, later: SendLater | null) => Promise<(() => void) | null>;
  onClose: () => void;
  /** Called after an undo has brought the draft back. */
  onRestored?: () => void;
}

/** Sending and deleting what is in a composer. */
export function useComposerActions(options: ComposerActionsOptions) {
  const { form, draft, draftKey, hasFailed, send, onClose, onRestored } = options;
  const { failure, showError, clearFailure } = useFormErrors(form, composerPath);

  // Nothing could have the focus while sending; after a failure it goes to the first field with an error.
  useEffect(() => {
    if (!hasFailed) return;
    const [first = 'text'] = Object.keys(form.formState.errors);
    form.setFocus(first as FieldPath<ComposerValues>);
  }, [hasFailed, form]);

  /** What the email is being sent by; undefined while it is not. */
  const choice = useRef<{ later: SendLater | null } | undefined>(undefined);
  const submitForm = useSubmit(form, async (values) => {
    clearFailure();
    try {
      const followUp = await send(values, choice.current?.later ?? null);
      if (followUp === null) return draft.goOn();
      draft.forget();
      followUp();
    } catch (error) {
      showError(error);
      draft.goOn();
    }
  });
  const submit = (later: SendLater | null = null) => {
    if (choice.current) return;
    choice.current = { later };
    void submitForm().finally(() => {
      choice.current = undefined;
    });
  };
  const discard = () => {
    const hasText = form.getValues('text').trim() !== '';
    const restore = draft.discard();
    clearFailure();
    onClose();
    if (!hasText) return;
    const onUndo = () => {
      restore();
      onRestored?.();
    };
    undoToast({ message: 'Draft deleted', id: `discarded-${draftKey}`, onUndo });
  };
  return { failure, submit, discard };
}
