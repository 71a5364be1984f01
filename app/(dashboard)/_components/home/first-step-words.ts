import type { FirstStepName, FirstSteps } from '@/server/features/home/home.schema';

interface StepWords {
  title: string;
  /** One sentence: why it is worth doing. */
  why: string;
  action: string;
  href: string;
}

/** What each first step is called, why it is one, and where it is done. `agentId` is the agent to begin with. */
export function stepWords(name: FirstStepName, agentId: FirstSteps['agentId']): StepWords {
  return { ...words[name], ...(name === 'agentVoice' && agentId ? { href: `/agents/${agentId}` } : {}) };
}

const words: Record<FirstStepName, StepWords> = {
  profile: {
    title: 'Describe your business',
    why: 'Agents and your public blog speak of what you do and offer.',
    action: 'Write the profile',
    href: '/identity',
  },
  apiCall: {
    title: 'Make a call with an API key',
    why: 'Your website or shop can hand over customers, events and posts by itself.',
    action: 'Open API keys',
    href: '/api-keys',
  },
  mailIn: {
    title: 'Let mail come in',
    why: 'With an address of your own, what customers write becomes conversations here.',
    action: 'Add an address',
    href: '/identity',
  },
  firstMail: {
    title: 'Receive the first mail',
    why: 'One mail to yourself shows that everything up to the inbox works.',
    action: 'See how',
    href: '/inbox',
  },
  agentVoice: {
    title: 'Give an agent your voice',
    why: 'Its tone and signature are under everything it writes in your name.',
    action: 'Open the agent',
    href: '/agents',
  },
  firstReply: {
    title: 'Send the first reply',
    why: 'Once an answer has left, customers can be served from here.',
    action: 'Answer a mail',
    href: '/inbox',
  },
  firstCustomer: {
    title: 'Add the first customer',
    why: 'Who they are and what you know about them then stands beside their mail.',
    action: 'Add a customer',
    href: '/customers/new',
  },
  firstPublication: {
    title: 'Publish a post or plan an event',
    why: 'The blog brings readers, and the calendar sends invitations and reminders.',
    action: 'Write a post',
    href: '/posts/new',
  },
};

/** What to set where a step waits for whoever runs the installation. */
export const settingWords: Record<NonNullable<FirstSteps['steps'][number]['missingSetting']>, string> = {
  INBOUND_SMTP_PORT: 'the port that mail comes in at; or INBOUND_SECRET, where another mail server hands it in',
  SMTP_URL: 'the mail server that mail goes out through',
};
