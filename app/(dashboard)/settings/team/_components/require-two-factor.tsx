import { useMutation, useQueryClient } from '@tanstack/react-query';
import { SectionCard } from '@/app/_kit/section-card';
import { Switch } from '@/app/_kit/switch';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { Team } from '@/server/features/team/team.schema';

/** Whether members need a second factor to work for the business. */
export function RequireTwoFactor({ team }: { team: Team }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const change = useMutation(
    trpc.members.requireTwoFactor.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.members.pathFilter()),
      onError: (error) => toast.failure('Couldn’t change the setting.', error),
    }),
  );
  const isRequired = change.isPending ? change.variables.isRequired : team.requiresTwoFactor;
  const without = team.members.filter(({ hasTwoFactor }) => !hasTwoFactor).length;
  return (
    <SectionCard
      title="Require two-factor authentication"
      description={`Members without it can’t open this business until they turn it on for their account.${effect(without, isRequired)}`}
      actions={
        <Switch
          label="Require two-factor authentication"
          needs="members:write"
          isSelected={isRequired}
          onChange={(next) => {
            if (!change.isPending) change.mutate({ isRequired: next });
          }}
        />
      }
    />
  );
}

/** How many people it keeps out. */
function effect(without: number, isRequired: boolean): string {
  if (without === 0) return '';
  const who = without === 1 ? '1 member doesn’t' : `${without} members don’t`;
  return isRequired ? ` ${who} have it and can’t get in.` : ` ${who} have it yet.`;
}
