import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { type Control, useController, useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { roleLabels } from '@/app/_kit/role-labels';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { InviteInput, IssuedInvitation } from '@/server/features/team/team.schema';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { rolesToGive } from './team-rules';

const resolver = schemaResolver<InviteInput>(() =>
  import('@/server/features/team/team.schema').then((module) => module.inviteInput),
);

interface InviteDialogProps {
  /** The role of the signed-in member. */
  role: TeamRole;
  canSendMail: boolean;
  onClose: () => void;
  onIssued: (email: string, issued: IssuedInvitation) => void;
}

/** Invites an address with a role. */
export function InviteDialog({ role, canSendMail, onClose, onIssued }: InviteDialogProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const invite = useMutation(trpc.members.invite.mutationOptions());
  const form = useForm<InviteInput>({ resolver, defaultValues: { email: '', role: 'member' } });
  const { failure, submit } = useFormSubmit(form, async (typed) => {
    const email = typed.email.trim();
    const issued = await invite.mutateAsync({ ...typed, email });
    await queryClient.invalidateQueries(trpc.members.pathFilter());
    onClose();
    if (issued.url === null) toast('Invitation sent', { description: email });
    onIssued(email, issued);
  });
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title="Invite to the team"
      description={
        canSendMail
          ? 'They get an email with a link that works for 7 days.'
          : 'This installation can’t send email, so you get a link to pass on.'
      }
    >
      <DialogForm
        submitLabel={canSendMail ? 'Send invitation' : 'Create link'}
        isPending={form.formState.isSubmitting}
        failure={failure}
        onSubmit={submit}
        onCancel={onClose}
      >
        <FormTextField
          control={form.control}
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck="false"
          placeholder="name@company.example"
          autoFocus
          isRequired
        />
        <RoleCards control={form.control} roles={rolesToGive(role)} />
      </DialogForm>
    </Dialog>
  );
}

/** The roles with what each may do. */
function RoleCards({ control, roles }: { control: Control<InviteInput>; roles: readonly TeamRole[] }) {
  const { field } = useController({ control, name: 'role' });
  const id = useId();
  return (
    <fieldset>
      <legend className="label mb-1">Role</legend>
      <div className="flex flex-col gap-2">
        {roles.map((role) => (
          <label
            key={role}
            className="flex cursor-pointer items-start gap-2.5 rounded-md border border-border px-3 py-2 hover:bg-surface-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name={field.name}
              value={role}
              checked={field.value === role}
              onChange={() => field.onChange(role)}
              aria-describedby={`${id}-${role}`}
              aria-label={roleLabels[role].label}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0">
              <span className="block font-medium">{roleLabels[role].label}</span>
              <span id={`${id}-${role}`} className="block text-label text-muted">
                {roleLabels[role].meaning}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
