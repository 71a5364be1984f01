'use client';

import { useQuery } from '@tanstack/react-query';
import type { UseFormReturn } from 'react-hook-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { useTRPC } from '@/app/_trpc/client';
import type { DetailsValues } from './details-values';

const typed = { value: '', label: 'A person' };

/** Who wrote it: an agent, or a name. */
export function AuthorFields({ form }: { form: UseFormReturn<DetailsValues> }) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions({}, { staleTime: 60_000 })).data?.agents ?? [];
  const { control, setValue, getValues } = form;

  const pick = (agentId: string) => {
    const agent = agents.find(({ id }) => id === agentId);
    if (!agent) return;
    setValue('authorName', agent.name, { shouldDirty: true });
    setValue('authorAvatarUrl', /^https?:\/\//i.test(agent.avatarUrl) ? agent.avatarUrl : '', { shouldDirty: true });
  };
  // A post by somebody with another name is not that agent's.
  const name = (value: string) => {
    const agent = agents.find(({ id }) => id === getValues('authorAgentId'));
    if (agent && agent.name !== value) setValue('authorAgentId', '', { shouldDirty: true });
  };

  return (
    <>
      {agents.length > 0 && (
        <FormSelect
          control={control}
          name="authorAgentId"
          label="Written by"
          options={[typed, ...agents.map(({ id, name: label }) => ({ value: id, label }))]}
          onValueChange={pick}
        />
      )}
      <FormTextField control={control} name="authorName" label="Author" autoComplete="off" onValueChange={name} />
      <FormTextField
        control={control}
        name="authorAvatarUrl"
        label="Author’s picture"
        placeholder="https://…"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        description="The address of a square picture. Without one, initials are shown."
      />
    </>
  );
}
