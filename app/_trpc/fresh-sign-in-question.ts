import { useSyncExternalStore } from 'react';

/** The pending confirmation of a fresh sign-in, shared by all calls that wait for it. */
interface Question {
  answer: (isConfirmed: boolean) => void;
  answered: Promise<boolean>;
}

let question: Question | null = null;
const listeners = new Set<() => void>();

function change(next: Question | null): void {
  question = next;
  for (const listener of listeners) listener();
}

/**
 * Opens the dialog, unless it is open already. @returns whether the person confirmed their identity; false on a page without
 * the dialog
 */
export function askForFreshSignIn(): Promise<boolean> {
  if (listeners.size === 0) return Promise.resolve(false);
  if (question === null) {
    let answer: Question['answer'] = () => undefined;
    const answered = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    change({ answer, answered });
    return answered;
  }
  return question.answered;
}

/** Closes the dialog and resolves the waiting calls. */
export function answerFreshSignIn(isConfirmed: boolean): void {
  const answered = question;
  change(null);
  answered?.answer(isConfirmed);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** True while the dialog is open. */
export function useIsFreshSignInAsked(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => question !== null,
    () => false,
  );
}
