import { Circle, CircleCheck } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { SectionCard } from '@/app/_kit/section-card';
import type { FirstStepName, FirstSteps } from '@/server/features/home/home.schema';
import type { Permission } from '@/server/platform/auth/scopes.schema';

interface StepLabels {
  title: string;
  /** One sentence on why the step is worth doing. */
  why: string;
  action: string;
  href: string;
  /** What the page or its form needs. */
  needs?: Permission;
}

/** Name, reason and link of each first step. `agentId` is the agent to start with. */
function stepLabels(name: FirstStepName, agentId: FirstSteps['agentId']): StepLabels {
  return { ...words[name], ...(name === 'agentVoice' && agentId ? { href: `/agents/${agentId}` } : {}) };
}

const words: Record<FirstStepName, StepLabels> = {
  profile: {
    title: 'Describe your business',
    why: 'Agents and your blog use this to talk about what you offer.',
    action: 'Complete profile',
    href: '/identity',
  },
  apiCall: {
    title: 'Connect an app (API, optional)',
    why: 'Let your website or shop send customers, events and posts automatically.',
    action: 'View API keys',
    href: '/api-keys',
    needs: 'keys:write',
  },
  mailIn: {
    title: 'Connect your email',
    why: 'Connect the mailbox you have, or add an address of your domain to the business profile, and customer emails appear in your inbox.',
    action: 'Connect mailbox',
    href: '/settings/mailboxes',
    needs: 'identity:write',
  },
  firstMail: {
    title: 'Receive your first email',
    why: 'Send a test email to your address to check that it arrives.',
    action: 'Show how',
    href: '/inbox',
  },
  agentVoice: {
    title: 'Set up an agent',
    why: 'Choose the tone and signature it uses.',
    action: 'Open agent',
    href: '/agents',
  },
  firstReply: {
    title: 'Send your first reply',
    why: 'Reply to a customer from the inbox.',
    action: 'Open inbox',
    href: '/inbox',
  },
  firstCustomer: {
    title: 'Add your first customer',
    why: 'See who is writing and their history next to each email.',
    action: 'Add customer',
    href: '/customers/new',
    needs: 'customers:write',
  },
  firstPublication: {
    title: 'Publish a post or schedule an event',
    why: 'Reach readers, and send invitations and reminders.',
    action: 'Write a post',
    href: '/posts/new',
    needs: 'blog:draft',
  },
};

/** The setting to change if a step waits for the operator of the installation. */
const settingLabels: Record<NonNullable<FirstSteps['steps'][number]['missingSetting']>, string> = {
  SMTP_URL: 'the server for outgoing email',
};

type Step = FirstSteps['steps'][number];

interface FirstStepsCardProps {
  firstSteps: FirstSteps;
  onDismiss: () => void;
}

/** First steps of a new business, from its profile to the first reply. Completion is derived from the data. */
export function FirstStepsCard({ firstSteps: { steps, agentId }, onDismiss }: FirstStepsCardProps) {
  const done = steps.filter(({ isDone }) => isDone);
  const open = steps.filter(({ isDone }) => !isDone);
  // The next step: the first one that is not blocked.
  const next = open.find(({ missingSetting }) => missingSetting === null);
  // Several steps may wait for one setting; only the first names it.
  const firstWithout = (setting: Step['missingSetting']) => open.find(({ missingSetting }) => missingSetting === setting);
  const progress = `${done.length} of ${steps.length} done`;
  return (
    <SectionCard
      title="Getting started"
      description={progress}
      flush
      actions={
        <Button variant="ghost" size="sm" onPress={onDismiss}>
          Dismiss
        </Button>
      }
    >
      <progress className="sr-only" aria-label="Getting started" value={done.length} max={steps.length}>
        {progress}
      </progress>
      <div aria-hidden className="h-1 bg-default">
        <div className="h-full bg-accent" style={{ width: `${(done.length / steps.length) * 100}%` }} />
      </div>
      <ol>
        {open.map((step) => (
          <li key={step.name} className="border-b border-separator last:border-b-0">
            <OpenStep
              step={step}
              agentId={agentId}
              isNext={step === next}
              explains={step === firstWithout(step.missingSetting)}
            />
          </li>
        ))}
      </ol>
      {done.length > 0 && <DoneSteps steps={done} />}
    </SectionCard>
  );
}

/** Folded: a finished list takes one line. */
function DoneSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <details className="border-t border-separator text-muted">
      <summary className="cursor-pointer px-5 py-2.5 text-label">{steps.length} done</summary>
      <ul className="pb-2">
        {steps.map(({ name }) => (
          <li key={name} className="flex items-center gap-3 px-5 py-1.5">
            <CircleCheck aria-hidden className="size-4 shrink-0 text-success-text" />
            {stepLabels(name, null).title}
          </li>
        ))}
      </ul>
    </details>
  );
}

interface OpenStepProps {
  step: Step;
  agentId: string | null;
  isNext: boolean;
  explains: boolean;
}

function OpenStep({ step: { name, missingSetting }, agentId, isNext, explains }: OpenStepProps) {
  const { title, why, action, href, needs } = stepLabels(name, agentId);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="flex min-w-0 flex-1 basis-72 gap-3">
        <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <div className="min-w-0">
          <h3 className="font-medium">{title}</h3>
          <p className="max-w-[68ch] text-label text-muted">{why}</p>
          {missingSetting && (
            <p className={`mt-1 max-w-[68ch] text-label ${explains ? 'text-warning-text' : 'text-muted'}`}>
              {explains ? 'Ask your administrator to set ' : 'Also needs '}
              <code className="font-mono text-xs">{missingSetting}</code>
              {explains ? `, ${settingLabels[missingSetting]}.` : '.'}
            </p>
          )}
        </div>
      </div>
      {missingSetting === null && (
        <ButtonLink href={href} needs={needs} size="sm" variant={isNext ? 'primary' : 'secondary'} className="max-sm:ml-7">
          {action}
        </ButtonLink>
      )}
    </div>
  );
}
