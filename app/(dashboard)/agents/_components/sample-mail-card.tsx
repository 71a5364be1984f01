'use client';

import { useFormContext, useWatch } from 'react-hook-form';
import { SectionCard } from '@/app/_kit/section-card';
import { AgentAvatar } from './agent-avatar';
import type { PersonaValues } from './persona-values';
import { sampleMail, sampleQuestion } from './sample-mail';

/** A mail as this persona would sign it; follows the form as it is typed. Needs its FormProvider. */
export function SampleMailCard({ email }: { email: string }) {
  const { control } = useFormContext<PersonaValues>();
  const { name, avatarUrl, persona } = useWatch<PersonaValues>({ control }) as PersonaValues;
  const mail = sampleMail({ name, email, tone: persona.tone, traits: persona.traits, signature: persona.signature });
  const shownName = mail.from.name || 'Name missing';
  return (
    <SectionCard title="Preview" description="Example only; wording varies.">
      <div className="flex flex-col gap-4">
        <ToneChips tone={persona.tone} traits={persona.traits} />
        <div className="rounded-md border border-border">
          <div className="flex items-center gap-3 border-b border-separator px-4 py-3">
            <AgentAvatar name={shownName} url={persona.avatarUrl.trim() || avatarUrl.trim()} emoji={persona.avatarEmoji} />
            <dl className="grid min-w-0 flex-1 grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-label">
              <dt className="text-muted">From</dt>
              <dd className="wrap-anywhere">
                <span className="font-medium">{shownName}</span>{' '}
                <span className="inline-block text-muted">&lt;{mail.from.address}&gt;</span>
              </dd>
              <dt className="text-muted">To</dt>
              <dd className="truncate text-muted">{mail.to}</dd>
              <dt className="sr-only">Subject</dt>
              <dd className="col-span-2 mt-1 font-medium">{mail.subject}</dd>
            </dl>
          </div>
          <div className="flex flex-col gap-4 px-4 py-4 text-base">
            {mail.body.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {mail.signature === '' ? (
              <p className="text-label text-muted">No signature</p>
            ) : (
              <p className="whitespace-pre-wrap wrap-anywhere">{mail.signature}</p>
            )}
            <blockquote className="border-l-2 border-border-secondary pl-3 text-label text-muted">
              <p>{sampleQuestion.who} wrote:</p>
              <p>{sampleQuestion.text}</p>
            </blockquote>
          </div>
        </div>
      </div>
    </SectionCard>
  );
}

function ToneChips({ tone, traits }: { tone: string; traits: readonly string[] }) {
  const said = tone.trim();
  if (said === '' && traits.length === 0) return <p className="text-label text-muted">No tone or personality yet.</p>;
  return (
    <ul aria-label="Tone and personality" className="flex flex-wrap gap-1.5">
      {said !== '' && (
        <li className="max-w-full truncate rounded-md bg-accent-soft px-2 py-0.5 text-label text-accent-text" title={said}>
          {said}
        </li>
      )}
      {traits.map((trait) => (
        <li key={trait} className="max-w-full truncate rounded-md bg-default px-2 py-0.5 text-label" title={trait}>
          {trait}
        </li>
      ))}
    </ul>
  );
}
