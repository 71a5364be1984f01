import { Circle, CircleCheck } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { SectionCard } from '@/app/_kit/section-card';
import type { FirstStepName, FirstSteps } from '@/server/features/home/home.schema';

interface StepLabels {
  title: string;
  /** One sentence on why the step is worth doing. */
  why: string;
  action: string;
  href: string;
}

/** Name, reason and link of each first step. `agentId` is the agent to start with. */
function stepLabels(name: FirstStepName, agentId: FirstSteps['agentId']): StepLabels {
  return { ...words[name], ...(name === 'agentVoice' && agentId ? { href: `/agents/${agentId}` } : {}) };
}

const words: Record<FirstStepName, StepLabels> = {
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

/** The setting to change if a step waits for the operator of the installation. */
const settingLabels: Record<NonNullable<FirstSteps['steps'][number]['missingSetting']>, string> = {
  INBOUND_SMTP_PORT: 'the port that mail comes in at; or INBOUND_SECRET, where another mail server hands it in',
  SMTP_URL: 'the mail server that mail goes out through',
};

type Step = FirstSteps['steps'][number];

interface FirstStepsCardProps {
  firstSteps: FirstSteps;
  onDismiss: () => void;
}

/** First steps of a new business, from its profile to the first reply. Completion is derived from the data. */
export function FirstStepsCard({ firstSteps: { steps, agentId }, onDismiss }: FirstStepsCardProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  // The next step: the first one that is not blocked.
  const next = steps.find(({ isDone, missingSetting }) => !isDone && missingSetting === null);
  // Several steps may wait for one setting; only the first names it.
  const firstWithout = (setting: Step['missingSetting']) =>
    steps.find(({ isDone, missingSetting }) => !isDone && missingSetting === setting);
  const progress = `${done} of ${steps.length} done`;
  return (
    <SectionCard
      title="First steps"
      description={progress}
      flush
      actions={
        <Button variant="ghost" size="sm" onPress={onDismiss}>
          Put away
        </Button>
      }
    >
      <progress className="sr-only" aria-label="First steps" value={done} max={steps.length}>
        {progress}
      </progress>
      <div aria-hidden className="h-1 bg-default">
        <div className="h-full bg-accent" style={{ width: `${(done / steps.length) * 100}%` }} />
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step.name} className="border-b border-separator last:border-b-0">
            {step.isDone ? (
              <DoneStep step={step} />
            ) : (
              <OpenStep
                step={step}
                agentId={agentId}
                isNext={step === next}
                explains={step === firstWithout(step.missingSetting)}
              />
            )}
          </li>
        ))}
      </ol>
    </SectionCard>
  );
}

function DoneStep({ step }: { step: Step }) {
  return (
    <div className="flex items-center gap-3 px-5 py-2.5 text-muted">
      <CircleCheck aria-hidden className="size-4 shrink-0 text-success-text" />
      <span className="min-w-0 flex-1">
        {stepLabels(step.name, null).title}
        <span className="sr-only"> (done)</span>
      </span>
    </div>
  );
}

interface OpenStepProps {
  step: Step;
  agentId: string | null;
  isNext: boolean;
  explains: boolean;
}

function OpenStep({ step: { name, missingSetting }, agentId, isNext, explains }: OpenStepProps) {
  const { title, why, action, href } = stepLabels(name, agentId);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="flex min-w-0 flex-1 basis-72 gap-3">
        <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <div className="min-w-0">
          <h3 className="font-medium">{title}</h3>
          <p className="max-w-[68ch] text-label text-muted">{why}</p>
          {missingSetting && (
            <p className={`mt-1 max-w-[68ch] text-label ${explains ? 'text-warning-text' : 'text-muted'}`}>
              {explains ? 'Whoever runs this installation first sets ' : 'Waits for '}
              <code className="font-mono text-xs">{missingSetting}</code>
              {explains ? `, ${settingLabels[missingSetting]}.` : ' as well.'}
            </p>
          )}
        </div>
      </div>
      {missingSetting === null && (
        <ButtonLink href={href} size="sm" variant={isNext ? 'primary' : 'secondary'} className="max-sm:ml-7">
          {action}
        </ButtonLink>
      )}
    </div>
  );
}
