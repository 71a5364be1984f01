import { useState } from 'react';
import { Button } from '@/app/_kit/button';
import { errorFacts } from '@/app/_kit/error-facts';
import { Dialog } from '@/app/_kit/overlay/dialog';

/** A reply of another author that the server refused this one for. */
interface OtherReply {
  name: string;
  answeredAt: string;
}

/** The other reply behind a refusal; null for any other error. */
export function otherReplyOf(error: unknown): OtherReply | null {
  const { code, details } = errorFacts(error);
  if (code !== 'conflict' || typeof details.answeredAt !== 'string') return null;
  const { name = 'Someone' } = (details.answeredBy ?? {}) as { name?: string };
  return { name, answeredAt: details.answeredAt };
}

interface Warning {
  name: string;
  hasAnswered: boolean;
  answer: (sendsAnyway: boolean) => void;
}

/** Asks before a second answer to the same message. `ask` resolves to whether to send it anyway. */
export function useAnswerWarning() {
  const [asked, setAsked] = useState<Warning | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const ask = (name: string, hasAnswered: boolean): Promise<boolean> =>
    new Promise((resolve) => {
      const answer = (sendsAnyway: boolean) => {
        setIsOpen(false);
        resolve(sendsAnyway);
      };
      setAsked({ name, hasAnswered, answer });
      setIsOpen(true);
    });
  return { ask, warning: <AnswerWarning warning={asked} isOpen={isOpen} /> };
}

/** @param warning stays while the dialog closes */
function AnswerWarning({ warning, isOpen }: { warning: Warning | null; isOpen: boolean }) {
  const { name = '', hasAnswered = false, answer } = warning ?? {};
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      isOpen={isOpen}
      onOpenChange={() => answer?.(false)}
      title={hasAnswered ? `${name} has answered` : `${name} is answering too`}
      description={
        hasAnswered
          ? 'Your reply isn’t sent yet. Read their answer first, or send yours as well.'
          : 'Your reply isn’t sent yet. The customer could get two answers.'
      }
      footer={
        <>
          <Button variant="secondary" onPress={() => answer?.(true)}>
            Send anyway
          </Button>
          <Button variant="primary" autoFocus onPress={() => answer?.(false)}>
            Read first
          </Button>
        </>
      }
    />
  );
}
