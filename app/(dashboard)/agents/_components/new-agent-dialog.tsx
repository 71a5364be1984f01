import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { slugOf } from '@/app/_kit/slug';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import { kindOptions } from './agent-labels';
import { blankAgent, domainOf, type NewAgentValues, newAgentSchema, toNewAgent } from './new-agent';
import { useStoreAgent } from './use-store-agent';

const resolver = schemaResolver<NewAgentValues>(async () => newAgentSchema);
const serverField = (path: string) => (path === 'kind' ? 'ownKind' : path);

/** Creates an agent with its name and mail address; all else is set on its page. */
export function NewAgentDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const storeAgent = useStoreAgent();
  const create = useMutation(trpc.agents.create.mutationOptions({ onSuccess: storeAgent }));
  // All agents of a business share one domain, so any of them provides it.
  const { data: agents } = useQuery(trpc.agents.list.queryOptions({ limit: 1 }));
  const form = useForm<NewAgentValues>({ defaultValues: blankAgent, resolver });
  const [isOwnRole, setIsOwnRole] = useState(false);
  const { control, formState } = form;
  const [roleId, kind] = form.watch(['roleId', 'kind']);
  const domain = domainOf(agents?.agents[0]?.email);

  const followName = (name: string) => {
    if (isOwnRole) return;
    form.setValue('roleId', slugOf(name), { shouldValidate: formState.isSubmitted });
  };
  const { failure, submit } = useFormSubmit(
    form,
    async (values) => {
      const { id } = await create.mutateAsync(toNewAgent(values));
      onClose();
      router.push(`/agents/${id}`);
    },
    serverField,
  );

  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="New agent"
      description="It’s active right away. Set its style and escalation next."
    >
      <DialogForm
        submitLabel="Create agent"
        isPending={formState.isSubmitting}
        failure={failure}
        onSubmit={submit}
        onCancel={onClose}
      >
        <FormTextField
          control={control}
          name="name"
          label="Name"
          placeholder="Night desk"
          autoComplete="off"
          autoFocus
          isRequired
          onValueChange={followName}
        />
        <FormTextField
          control={control}
          name="roleId"
          label="Email address"
          placeholder="night-desk"
          description={<Address roleId={roleId} domain={domain} />}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          mono
          isRequired
          onValueChange={(value) => setIsOwnRole(value !== '')}
        />
        <FormSelect control={control} name="kind" label="Type" options={kindOptions} />
        {kind === 'own' && (
          <FormTextField
            control={control}
            name="ownKind"
            label="Custom type"
            placeholder="outreach"
            description="Lowercase letters, digits and hyphens."
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            mono
            isRequired
          />
        )}
      </DialogForm>
    </Dialog>
  );
}

/** The address at which it will get mail. */
function Address({ roleId, domain }: { roleId: string; domain: string | null }) {
  return (
    <>
      <span className="font-mono text-xs text-foreground wrap-anywhere">
        {roleId || '…'}@{domain ?? '…'}
      </span>
      . Can’t be changed later.
    </>
  );
}
