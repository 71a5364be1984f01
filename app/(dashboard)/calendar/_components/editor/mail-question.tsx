import { Mail } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { isQuestion, type MailQuestion, questionLabels } from './mail-question-labels';

export type { MailQuestion };

/** `notify` emails all guests, `quiet` only new ones; null cancels the action. */
export type MailChoice = 'notify' | 'quiet' | null;

interface PendingQuestion {
  question: MailQuestion;
  answer(choice: MailChoice): void;
}

/**
 * Asks before anyone is mailed or a whole series moves. `ask` resolves to `quiet` if no question is needed. Render `dialog` in
 * the page.
 */
export function useMailQuestion(): { ask(question: MailQuestion): Promise<MailChoice>; dialog: ReactNode } {
  const [asked, setAsked] = useState<PendingQuestion | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const open = useRef<PendingQuestion | null>(null);

  const answer = useCallback((choice: MailChoice) => {
    open.current?.answer(choice);
    open.current = null;
    setIsOpen(false);
  }, []);

  // Resolves a pending question if the page is left.
  useEffect(() => () => open.current?.answer(null), []);

  const ask = useCallback(
    (question: MailQuestion) => {
      if (!isQuestion(question)) return Promise.resolve<MailChoice>('quiet');
      answer(null);
      return new Promise<MailChoice>((resolve) => {
        open.current = { question, answer: resolve };
        setAsked(open.current);
        setIsOpen(true);
      });
    },
    [answer],
  );

  return { ask, dialog: asked && <MailQuestionDialog question={asked.question} isOpen={isOpen} onAnswer={answer} /> };
}

interface MailQuestionDialogProps {
  question: MailQuestion;
  isOpen: boolean;
  onAnswer(choice: MailChoice): void;
}

function MailQuestionDialog({ question, isOpen, onAnswer }: MailQuestionDialogProps) {
  const labels = questionLabels(question);
  return (
    <Dialog
      role="alertdialog"
      size="lg"
      isOpen={isOpen}
      onOpenChange={(next) => {
        if (!next) onAnswer(null);
      }}
      title={labels.title}
      description={labels.description}
      footer={
        <div className="flex w-full flex-col gap-2 sm:flex-row-reverse sm:flex-wrap">
          {labels.notify !== null && (
            <Button
              className="max-sm:w-full"
              variant={question.what === 'cancelled' ? 'danger' : 'primary'}
              onPress={() => onAnswer('notify')}
            >
              <Mail aria-hidden />
              {labels.notify}
            </Button>
          )}
          <Button
            className="max-sm:w-full"
            variant={labels.notify === null ? 'primary' : 'secondary'}
            onPress={() => onAnswer('quiet')}
          >
            {labels.quiet}
          </Button>
          <Button className="max-sm:w-full" variant="ghost" onPress={() => onAnswer(null)}>
            {labels.stay}
          </Button>
        </div>
      }
    />
  );
}
