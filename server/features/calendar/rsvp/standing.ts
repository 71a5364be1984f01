import { answerWords } from '../mail/compose';
import { answers } from '../mail/mail-content';
import type { Answer, MailedGuest } from '../mail/mailed-event';

/** What the page says of the reader's answer. */
export interface Standing {
  heading: string;
  text: string;
  buttons: AnswerButton[];
}

export interface AnswerButton {
  answer: Answer;
  label: string;
  /** The one to press, the one that was pressed, and those beside it. */
  kind: 'primary' | 'recorded' | 'plain';
}

interface StandingFacts {
  /** What is recorded. */
  response: MailedGuest['response'];
  /** What was pressed in the mail, which records nothing. */
  chosen: Answer | null;
  repeats: boolean;
}

const labelOf = (wanted: Answer) => answers.find(({ answer }) => answer === wanted)?.label ?? '';

function textOf({ response, chosen, repeats }: StandingFacts): string {
  const all = repeats ? ' It counts for all dates.' : '';
  const recorded = `Recorded.${all}`;
  if (response === 'needs_action') {
    const how = chosen ? `Press “${labelOf(chosen)}” to confirm.` : 'One press is enough, and you can change it later.';
    return chosen ? `Nothing is recorded yet. ${how}${all}` : `${how}${all}`;
  }
  if (chosen && chosen !== response) return `${recorded} To change it to ${answerWords[chosen]}, press “${labelOf(chosen)}”.`;
  return `${recorded} You can change it here.`;
}

/** What is recorded, what was chosen before, and what to press. */
export function standingOf(facts: StandingFacts): Standing {
  const { response, chosen } = facts;
  const pressed = chosen ?? (response === 'needs_action' ? 'accepted' : null);
  const kindOf = (answer: Answer) => {
    if (answer === response) return 'recorded';
    return answer === pressed ? 'primary' : 'plain';
  };
  return {
    heading: response === 'needs_action' ? 'Will you come?' : `Your answer: ${answerWords[response]}.`,
    text: textOf(facts),
    buttons: answers.map(({ answer, label }) => ({ answer, label, kind: kindOf(answer) })),
  };
}
