import { ChevronRight, Circle, CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { SectionCard } from '@/app/_components/section-card';

interface FirstStepsProps {
  hasProfile: boolean;
  hasCustomer: boolean;
  hasUsedKey: boolean;
}

/** What a new business does first. Disappears once all of it is done. */
export function FirstSteps({ hasProfile, hasCustomer, hasUsedKey }: FirstStepsProps) {
  const steps = [
    { done: hasProfile, href: '/identity', title: 'Describe your business', text: 'What you do, and what you offer.' },
    { done: hasCustomer, href: '/customers/new', title: 'Add the first customer', text: 'By hand here, or over the API.' },
    { done: hasUsedKey, href: '/api-keys', title: 'Make a call with an API key', text: 'Connect your website or shop.' },
  ];
  const done = steps.filter((step) => step.done).length;
  if (done === steps.length) return null;
  return (
    <SectionCard title="First steps" description={`${done} of ${steps.length} done`} flush>
      <ul>
        {steps.map((step) => (
          <li key={step.href} className="border-b border-separator last:border-b-0">
            {step.done ? (
              <div className="flex items-center gap-3 px-5 py-2.5 text-muted">
                <CircleCheck aria-hidden className="size-4 shrink-0 text-success-text" />
                <span className="flex-1 line-through decoration-border-tertiary">{step.title}</span>
                <span className="sr-only">Done</span>
              </div>
            ) : (
              <Link href={step.href} className="flex items-center gap-3 px-5 py-2.5 -outline-offset-2 hover:bg-surface-hover">
                <Circle aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="min-w-0 flex-1">
                  <span className="block font-medium">{step.title}</span>
                  <span className="block text-label text-muted">{step.text}</span>
                </span>
                <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
              </Link>
            )}
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}
