import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { RecordForm } from '@/app/_kit/record-form';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { FormTagInput } from '@/app/_kit/tag-input';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { personaLimits } from '@/server/features/agents/agent.limits';
import type { AgentDetail } from '@/server/features/agents/agent.schema';
import { AgentAvatar } from './agent-avatar';
import { type PersonaValues, personaPartNames, toPersonaValues } from './persona-values';
import { sampleMail, sampleQuestion } from './sample-mail';
import { useStoreAgent } from './use-store-agent';

/** Suggestions for traits. */
const commonTraits = ['helpful', 'precise', 'patient', 'thorough', 'calm', 'cheerful', 'courteous', 'concise'];

/** All of an agent's settings besides status and routes. Needs a FormProvider. */
function PersonaFields() {
  const { control } = useFormContext<PersonaValues>();
  return (
    <>
      <SectionCard title="Writing style">
        <div className="flex flex-col gap-4">
          <FormTextField control={control} name="name" label="Name" autoComplete="off" isRequired />
          <FormTextField
            control={control}
            name="persona.tone"
            label="Tone"
            placeholder="Friendly and to the point"
            autoComplete="off"
          />
          <FormTagInput
            control={control}
            name="persona.traits"
            label="Personality"
            placeholder="Add a trait"
            description="Press Enter to add."
            suggestions={commonTraits}
          />
          <FormTextArea
            control={control}
            name="persona.bio"
            label="Bio"
            description="What this agent is responsible for."
            rows={4}
            maxLength={personaLimits.bio}
            counter
          />
          <FormTextArea
            control={control}
            name="persona.signature"
            label="Signature"
            description="Added to the end of every email."
            rows={4}
            maxLength={personaLimits.signature}
            counter
          />
        </div>
      </SectionCard>
      <SectionCard title="Appearance">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
          <FormTextField control={control} name="persona.avatarEmoji" label="Emoji" autoComplete="off" placeholder="🙂" />
          <FormTextField
            control={control}
            name="avatarUrl"
            label="Image URL"
            description="If empty, the emoji is used."
            type="url"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            placeholder="https://"
          />
          <FormTextField
            control={control}
            name="persona.avatarUrl"
            label="Email photo URL"
            description="Optional: a different photo for emails."
            type="url"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            placeholder="https://"
            className="sm:col-span-2"
          />
          <div className="sm:col-span-2">
            <FormTagInput control={control} name="tags" label="Tags" description="Only visible to your team." />
          </div>
        </div>
      </SectionCard>
    </>
  );
}

const toStored = (agent: AgentDetail) => ({ values: toPersonaValues(agent), version: agent.revision });

const loadSchema = () => import('./persona-schema');

const resolver = schemaResolver<PersonaValues>(() => loadSchema().then((module) => module.personaSchema));

/** The form of an agent's persona, with a sample mail that follows it. Only changes are sent. */
export function PersonaTab({ agent }: { agent: AgentDetail }) {
  const trpc = useTRPC();
  const router = useRouter();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const storeAgent = useStoreAgent();
  const values = useMemo(() => toPersonaValues(agent), [agent]);
  const record = useRecordForm<PersonaValues>({
    draftName: `persona.${agent.id}`,
    values,
    resolver,
    version: agent.revision,
    parts: personaPartNames,
    save: async (typed, changed, version) => {
      const { toPersonaUpdate } = await loadSchema();
      const input = { agentId: agent.id, ...toPersonaUpdate(typed, changed) };
      const saved = await client.agents.update.mutate(input, ifMatch(version));
      storeAgent(saved);
      // The server renders the window title, which contains the name.
      if (changed.has('name')) router.refresh();
      return toStored(saved);
    },
    fetchNewest: async () =>
      toStored(await queryClient.fetchQuery(trpc.agents.get.queryOptions({ agentId: agent.id }, { staleTime: 0 }))),
  });
  return (
    <RecordForm record={record} label="Profile" subject="this agent" needs="agents:write">
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="flex min-w-0 flex-col gap-6">
          <PersonaFields />
        </div>
        <div className="min-w-0 lg:sticky lg:top-6">
          <SampleMailCard email={agent.email} />
        </div>
      </div>
    </RecordForm>
  );
}

/** A mail as this persona would sign it; follows the form as it is typed. Needs its FormProvider. */
function SampleMailCard({ email }: { email: string }) {
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
