import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useController, useFormContext, useFormState } from 'react-hook-form';
import { DisclosureButton } from '@/app/_kit/disclosure-button';
import { fieldMessage } from '@/app/_kit/field-message';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { roleLabels } from '@/app/_kit/role-labels';
import { useTRPC } from '@/app/_trpc/client';
import { type EscalationChannel, type EscalationRoute, escalationChannels } from '@/server/features/agents/escalation.schema';
import { usePeople } from '../../_components/team/people';
import { channelLabels, emptyEmailHint, missingChannelsText, personHint, unavailableChannels, waitHint } from './route-labels';
import { personOptions } from './route-people';
import { type RoutesValues, withChannel } from './route-values';

/** Roles that escalations notify. Any other text is accepted, too. */
const offeredRoles = ['owner', 'admin', 'member'] as const;

interface RouteFieldsProps {
  index: number;
  draft: EscalationRoute;
  ownerEmail: string;
  isLast: boolean;
}

/**
 * All fields of one level except its position. Contacts are requested if a chosen channel uses them; other stored contacts
 * stay.
 */
export function RouteFields({ index, draft, ownerEmail, isLast }: RouteFieldsProps) {
  const { control } = useFormContext<RoutesValues>();
  const { errors } = useFormState({ control });
  const refused = errors.routes?.[index];
  const path = `routes.${index}` as const;
  const people = usePeople();
  const rolesId = useId();
  const asks = (channel: EscalationChannel, contact: keyof EscalationRoute['contactInfo']) =>
    draft.channels.includes(channel) || refused?.contactInfo?.[contact] !== undefined;

  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <FormTextField
          control={control}
          name={`${path}.label`}
          label="Who"
          placeholder="Ann, on call"
          autoComplete="off"
          className="sm:col-span-2"
        />
        <FormTextField
          control={control}
          name={`${path}.timeoutMins`}
          label="Wait (minutes)"
          description={waitHint(draft.timeoutMins, isLast)}
          inputMode="numeric"
          autoComplete="off"
          isRequired
        />
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <FormSelect
          control={control}
          name={`${path}.toUserId`}
          label="Person"
          description={personHint(draft, people)}
          options={personOptions(people, draft.toUserId ?? '')}
        />
        <FormTextField
          control={control}
          name={`${path}.toRole`}
          label="Role"
          description="Everyone with this role, or a name of your own for apps."
          list={rolesId}
          autoCapitalize="none"
          autoComplete="off"
        />
        <datalist id={rolesId}>
          {offeredRoles.map((role) => (
            <option key={role} value={role}>
              {roleLabels[role].label}
            </option>
          ))}
        </datalist>
      </div>
      <RouteChannels index={index} />
      <div className="grid items-start gap-4 empty:hidden sm:grid-cols-2">
        {asks('email', 'email') && (
          <FormTextField
            control={control}
            name={`${path}.contactInfo.email`}
            label="Email"
            description={emptyEmailHint(draft, ownerEmail, people)}
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
          />
        )}
        {asks('sms', 'phone') && (
          <FormTextField
            control={control}
            name={`${path}.contactInfo.phone`}
            label="Phone"
            description="With country code and no spaces, for example +4940555012."
            inputMode="tel"
            autoComplete="off"
            isRequired={draft.channels.includes('sms')}
          />
        )}
        {asks('slack', 'slack') && (
          <FormTextField
            control={control}
            name={`${path}.contactInfo.slack`}
            label="Slack"
            description="#channel, @user or Slack ID."
            autoCapitalize="none"
            autoComplete="off"
            isRequired={draft.channels.includes('slack')}
          />
        )}
      </div>
      <div className="flex flex-col gap-1">
        <RouteDisclosure title="Instructions" note={draft.instructions} isRefused={refused?.instructions !== undefined}>
          <FormTextArea
            control={control}
            name={`${path}.instructions`}
            label="Instructions"
            hideLabel
            rows={3}
            description="What this person needs to know."
          />
        </RouteDisclosure>
      </div>
    </div>
  );
}

/** Whether each channel sends anything on this installation. Unknown while it is loading. */
function useMissingChannels(): readonly EscalationChannel[] {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.mail.setup.queryOptions({}));
  return data?.canSend === false ? ['email', ...unavailableChannels] : unavailableChannels;
}

/** The channels of a level, as toggle chips. One that sends nothing can be taken away, but not chosen. */
function RouteChannels({ index }: { index: number }) {
  const missing = useMissingChannels();
  const { control } = useFormContext<RoutesValues>();
  const { field, fieldState } = useController({ control, name: `routes.${index}.channels` });
  const errorId = useId();
  const message = fieldMessage('Channels', fieldState.error?.message);
  return (
    <fieldset className="min-w-0" {...(message ? { 'aria-describedby': errorId } : {})}>
      <legend className="label mb-1">Channels</legend>
      <div className="flex flex-wrap gap-2">
        {escalationChannels.map((channel, position) => (
          <label
            key={channel}
            className="relative flex h-8 cursor-pointer items-center gap-1.5 rounded-md border border-border-secondary px-2.5 text-label text-muted transition-colors duration-150 hover:bg-surface-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-text has-disabled:cursor-not-allowed has-disabled:opacity-60 has-disabled:hover:bg-transparent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus max-sm:h-10"
          >
            <input
              ref={position === 0 ? field.ref : undefined}
              type="checkbox"
              name={`${field.name}.${channel}`}
              checked={field.value.includes(channel)}
              disabled={unavailableChannels.includes(channel) && !field.value.includes(channel)}
              onChange={(event) => field.onChange(withChannel(field.value, channel, event.target.checked))}
              onBlur={field.onBlur}
              className="peer absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
            />
            <Check aria-hidden className="hidden size-3.5 peer-checked:block" />
            {channelLabels[channel]}
          </label>
        ))}
      </div>
      <p className="mt-1 text-label text-muted">{missingChannelsText(missing)}</p>
      {message && (
        <p id={errorId} className="mt-1 text-label text-danger-text">
          {message}
        </p>
      )}
    </fieldset>
  );
}

interface RouteDisclosureProps {
  title: string;
  /** Summary shown while it is closed. */
  note: string | undefined;
  /** Opens it, so that the refused field is in view. */
  isRefused: boolean;
  children: ReactNode;
}

/** Optional fields of a level that are mostly empty. Closed ones stay part of the form. */
function RouteDisclosure({ title, note, isRefused, children }: RouteDisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();

  useEffect(() => {
    if (isRefused) setIsOpen(true);
  }, [isRefused]);

  return (
    <div>
      <DisclosureButton
        isOpen={isOpen}
        onOpenChange={setIsOpen}
        panelId={panelId}
        className="flex min-h-8 max-w-full items-center gap-1.5 rounded-md pr-2 text-label font-medium hover:bg-surface-hover"
      >
        <span className="shrink-0">{title}</span>
        {!isOpen && note && <span className="min-w-0 truncate font-normal text-muted">{note}</span>}
      </DisclosureButton>
      <div id={panelId} hidden={!isOpen} className="pt-2 sm:pl-5.5">
        {children}
      </div>
    </div>
  );
}
