'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { FormProvider } from 'react-hook-form';
import { SaveBar } from '@/app/_kit/save-bar';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { AgentDetail, UpdateAgentInput } from '@/server/features/agents/agent.schema';
import { PersonaFields } from './persona-fields';
import { type PersonaPart, type PersonaValues, personaPartNames, toPersonaValues } from './persona-values';
import { SampleMailCard } from './sample-mail-card';
import { useStoreAgent } from './use-store-agent';

const toStored = (agent: AgentDetail) => ({ values: toPersonaValues(agent), version: agent.updatedAt });

const loadSchema = () => import('./persona-schema');

const resolver = schemaResolver<PersonaValues>(() => loadSchema().then((module) => module.personaSchema));

/** How an agent writes: the form, and beside it a mail that follows it. Only what was changed is sent. */
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
      // The window's title has the name, and the server renders it.
      if (changed.has('name')) router.refresh();
      return toStored(saved);
    },
    fetchNewest: async () =>
      toStored(await queryClient.fetchQuery(trpc.agents.get.queryOptions({ agentId: agent.id }, { staleTime: 0 }))),
  });
  return (
    <FormProvider {...form}>
      <form {...formProps} aria-label="Persona" className="flex flex-col gap-6">
        <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
          <div className="flex min-w-0 flex-col gap-6">
            <PersonaFields />
          </div>
          <div className="min-w-0 lg:sticky lg:top-6">
            <SampleMailCard email={agent.email} />
          </div>
        </div>
        {/* Below both, so that it stays in view on a phone, where the sample comes last. */}
        <SaveBar isDirty={isDirty} onDiscard={discard} {...state} />
      </form>
      <UnsavedChangesGuard isDirty={isDirty} subject="this agent" onLeave={forgetDraft} />
    </FormProvider>
  );
}
