import type { Answer, InviteeResponse } from '../invitee.schema';
import { answerLabels } from '../mail/compose';
import { answers } from '../mail/mail-content';

/** The state of the reader's response on the page. */
export interface ResponseState {
  heading: string;
  text: string;
  buttons: AnswerButton[];
}

export interface AnswerButton {
  answer: Answer;
  label: string;
  /** The primary button, the recorded response, and the others. */
  kind: 'primary' | 'recorded' | 'plain';
}

interface ResponseInput {
  /** The recorded response. */
  response: InviteeResponse;
  /** The response chosen in the mail, which is not recorded yet. */
  chosen: Answer | null;
  repeats: boolean;
}

const labelOf = (wanted: Answer) => answers.find(({ answer }) => answer === wanted)?.label ?? '';

function textOf({ response, chosen, repeats }: ResponseInput): string {
  const all = repeats ? ' Your answer counts for every date.' : '';
  const recorded = repeats ? 'Saved for every date.' : 'Saved.';
  if (response === 'needs_action') {
    const how = chosen ? `Press “${labelOf(chosen)}” to confirm.` : 'You can change it later.';
    return chosen ? `Not saved yet. ${how}${all}` : `${how}${all}`;
  }
  if (chosen && chosen !== response) return `${recorded} To change it to ${answerLabels[chosen]}, press “${labelOf(chosen)}”.`;
  return `${recorded} You can change it here.`;
}

/** Combines the recorded response and the preselected one into a heading and buttons. */
export function responseStateOf(facts: ResponseInput): ResponseState {
  const { response, chosen } = facts;
  const pressed = chosen ?? (response === 'needs_action' ? 'accepted' : null);
  const kindOf = (answer: Answer) => {
    if (answer === response) return 'recorded';
    return answer === pressed ? 'primary' : 'plain';
  };
  return {
    heading: response === 'needs_action' ? 'Will you attend?' : `Your response: ${answerLabels[response]}.`,
    text: textOf(facts),
    buttons: answers.map(({ answer, label }) => ({ answer, label, kind: kindOf(answer) })),
  };
}
