'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { FormProvider, useWatch } from 'react-hook-form';
import { SaveBar } from '@/app/_kit/save-bar';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Escalation, EscalationRoute } from '@/server/features/agents/escalation.schema';
import { RouteLadder } from './route-ladder';
import { RouteTimeline } from './route-timeline';
import { type RoutesValues, routesSchema, toDraftRoute, toRoutesInput, toRoutesValues } from './route-values';

const toStored = ({ routes, updatedAt }: Escalation) => ({ values: toRoutesValues(routes), version: updatedAt });

const resolver = schemaResolver<RoutesValues>(async () => routesSchema);

/** The form over an agent's routes: when who is reached, and the levels that make it so. All of them are saved together. */
export function RouteEditor({ escalation }: { escalation: Escalation }) {
  const { agentId, ownerEmail, routes } = escalation;
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const client = useTRPCClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ version, ...input }: { agentId: string; routes: EscalationRoute[]; version: string | null }) =>
      client.agents.updateHitl.mutate(input, ifMatch(version)),
  });
  const values = useMemo(() => toRoutesValues(routes), [routes]);
  const { form, formProps, isDirty, discard, forgetDraft, ...state } = useRecordForm<RoutesValues>({
    draftName: `routes.${agentId}`,
    values,
    resolver,
    version: escalation.updatedAt,
    parts: { routes: 'Routes' },
    save: async (typed, _changed, version) => {
      const saved = await mutateAsync({ agentId, routes: toRoutesInput(typed), version });
      queryClient.setQueryData(trpc.agents.hitl.queryKey({ agentId }), saved);
      void queryClient.invalidateQueries(trpc.agents.get.queryFilter({ agentId }));
      void queryClient.invalidateQueries(trpc.agents.list.queryFilter());
      return toStored(saved);
    },
    fetchNewest: async () => toStored(await queryClient.fetchQuery(trpc.agents.hitl.queryOptions({ agentId }, { staleTime: 0 }))),
  });
  const typed = useWatch({ control: form.control, name: 'routes' });
  const drafts = useMemo(() => typed.map(toDraftRoute), [typed]);

  // A level that came back by discarding, or on a page that was left, must not come back once more.
  const undoable = useRef<(string | number)[]>([]);
  const forgetUndo = () => {
    for (const id of undoable.current) toast.dismiss(id);
    undoable.current = [];
  };
  useEffect(() => {
    const ids = undoable;
    return () => ids.current.forEach((id) => void toast.dismiss(id));
  }, []);

  return (
    <FormProvider {...form}>
      <form {...formProps} aria-label="Routes" className="flex min-w-0 flex-col gap-6">
        {drafts.length > 0 && <RouteTimeline routes={drafts} ownerEmail={ownerEmail} />}
        <RouteLadder ownerEmail={ownerEmail} drafts={drafts} onUndoOffered={(id) => undoable.current.push(id)} />
        <SaveBar
          isDirty={isDirty}
          onDiscard={() => {
            forgetUndo();
            discard();
          }}
          {...state}
        />
      </form>
      <UnsavedChangesGuard isDirty={isDirty} subject="this agent's routes" onLeave={forgetDraft} />
    </FormProvider>
  );
}
