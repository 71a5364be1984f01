/** The inputs of a sample mail. */
export interface SamplePersona {
  name: string;
  email: string;
  tone: string;
  traits: readonly string[];
  signature: string;
}

export interface SampleMail {
  from: { name: string; address: string };
  to: string;
  subject: string;
  /** Paragraphs. */
  body: string[];
  /** As typed, with line breaks; '' if there is none. */
  signature: string;
}

type Register = 'formal' | 'warm' | 'plain';

const formalWords = /\b(formal|professional|polite|courteous|respectful|serious|businesslike|discreet)\b/i;
const warmWords = /\b(friendly|warm|casual|informal|cheerful|playful|relaxed|welcoming|humorous|empathetic|enthusiastic)\b/i;
const briefWords = /\b(brief|short|concise|terse|crisp|laconic|direct|to the point)\b/i;

/** The register that keywords in a text suggest; undefined if there are none. Both formal and warm is neutral. */
function registerIn(words: string): Register | undefined {
  const isFormal = formalWords.test(words);
  const isWarm = warmWords.test(words);
  if (isFormal && isWarm) return 'plain';
  return isFormal ? 'formal' : isWarm ? 'warm' : undefined;
}

/** Estimates how formal a tone in free text is. Traits decide if the tone leaves it open. */
export function registerOf(tone: string, traits: readonly string[]): { register: Register; isBrief: boolean } {
  const others = traits.join(' ');
  return { register: registerIn(tone) ?? registerIn(others) ?? 'plain', isBrief: briefWords.test(`${tone} ${others}`) };
}

const wording: Record<Register, { greeting: string; opening: string; closing: string }> = {
  formal: {
    greeting: 'Dear Ms Hill,',
    opening: 'Thank you for letting us know in good time.',
    closing: 'Should anything else change on your side, a reply to this message is enough.',
  },
  warm: {
    greeting: 'Hi Ann,',
    opening: 'Thanks for letting us know so early, that makes it easy.',
    closing: 'If something comes up again, just reply here.',
  },
  plain: {
    greeting: 'Hello Ann,',
    opening: 'Thank you for your message.',
    closing: 'If anything else changes, reply to this message.',
  },
};

const answer = 'Your appointment has moved from Tuesday to Thursday at 9:30. Everything else stays as agreed.';

/** The customer's mail that the sample replies to. */
export const sampleQuestion = {
  who: 'Ann Hill',
  text: 'Something has come up on Tuesday. Could we meet on Thursday morning instead?',
};

/**
 * A plausible short reply by this persona. What an agent really writes depends on its model; the sample shows name, address and
 * signature exactly, and the tone approximately.
 */
export function sampleMail({ name, email, tone, traits, signature }: SamplePersona): SampleMail {
  const { register, isBrief } = registerOf(tone, traits);
  const { greeting, opening, closing } = wording[register];
  return {
    from: { name: name.trim(), address: email },
    to: 'Ann Hill <ann@quark.example>',
    subject: 'Re: Our appointment on Tuesday',
    body: isBrief ? [greeting, answer, closing] : [greeting, `${opening} ${answer}`, closing],
    signature: signature.trimEnd(),
  };
}
