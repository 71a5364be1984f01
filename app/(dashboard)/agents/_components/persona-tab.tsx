'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { FormProvider, useFormContext } from 'react-hook-form';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { SaveBar } from '@/app/_kit/save-bar';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { FormTagInput } from '@/app/_kit/tag-input';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { personaLimits } from '@/server/features/agents/agent.limits';
import type { AgentDetail, UpdateAgentInput } from '@/server/features/agents/agent.schema';
import { type PersonaPart, type PersonaValues, personaPartNames, toPersonaValues } from './persona-values';
import { SampleMailCard } from './sample-mail-card';
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

const toStored = (agent: AgentDetail) => ({ values: toPersonaValues(agent), version: agent.updatedAt });

const loadSchema = () => import('./persona-schema');

const resolver = schemaResolver<PersonaValues>(() => loadSchema().then((module) => module.personaSchema));

/** The form of an agent's persona, with a sample mail that follows it. Only changes are sent. */
export function PersonaTab({ agent }: { agent: AgentDetail }) {
  const trpc = useTRPC();
  const router = useRouter();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ version, ...input }: UpdateAgentInput & { version: string | null }) =>
      client.agents.update.mutate(input, ifMatch(version)),
    onSuccess: useStoreAgent(),
  });
  const values = useMemo(() => toPersonaValues(agent), [agent]);
  const { form, formProps, isDirty, discard, forgetDraft, ...state } = useRecordForm<PersonaValues>({
    draftName: `persona.${agent.id}`,
    values,
    resolver,
    version: agent.updatedAt,
    parts: personaPartNames,
    save: async (typed, changed, version) => {
      const { toPersonaUpdate } = await loadSchema();
      const saved = await mutateAsync({
        version,
        agentId: agent.id,
        ...toPersonaUpdate(typed, changed as ReadonlySet<PersonaPart>),
      });
      // The server renders the window title, which contains the name.
      if (changed.has('name')) router.refresh();
      return toStored(saved);
    },
    fetchNewest: async () =>
      toStored(await queryClient.fetchQuery(trpc.agents.get.queryOptions({ agentId: agent.id }, { staleTime: 0 }))),
  });
  return (
    <FormProvider {...form}>
      <form {...formProps} aria-label="Profile" className="flex flex-col gap-6">
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
          <div className="flex min-w-0 flex-col gap-6">
            <PersonaFields />
          </div>
          <div className="min-w-0 lg:sticky lg:top-6">
            <SampleMailCard email={agent.email} />
          </div>
        </div>
        {/* Placed below both columns, so that it stays in view on a phone, where the sample comes last. */}
        <SaveBar isDirty={isDirty} onDiscard={discard} {...state} />
      </form>
      <UnsavedChangesGuard isDirty={isDirty} subject="this agent" onLeave={forgetDraft} />
    </FormProvider>
  );
}
