import { Circle, CircleCheck } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { SectionCard } from '@/app/_kit/section-card';
import type { FirstSteps } from '@/server/features/home/home.schema';
import { settingWords, stepWords } from './first-step-words';

type Step = FirstSteps['steps'][number];

interface FirstStepsCardProps {
  firstSteps: FirstSteps;
  onPutAway: () => void;
}

/** What a new business does first, from its profile to the first reply. What is done is found out from the data. */
export function FirstStepsCard({ firstSteps: { steps, agentId }, onPutAway }: FirstStepsCardProps) {
  const done = steps.filter(({ isDone }) => isDone).length;
  // The one to go on with: the first that nothing is in the way of.
  const next = steps.find(({ isDone, missingSetting }) => !isDone && missingSetting === null);
  // Several steps may wait for one setting; the first of them says what it is.
  const firstWithout = (setting: Step['missingSetting']) =>
    steps.find(({ isDone, missingSetting }) => !isDone && missingSetting === setting);
  const progress = `${done} of ${steps.length} done`;
  return (
    <SectionCard
      title="First steps"
      description={progress}
      flush
      actions={
        <Button variant="ghost" size="sm" onPress={onPutAway}>
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
        {stepWords(step.name, null).title}
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
  const { title, why, action, href } = stepWords(name, agentId);
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
              {explains ? `, ${settingWords[missingSetting]}.` : ' as well.'}
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
