'use client';

import { useFormContext, useFormState } from 'react-hook-form';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import type { EscalationChannel, EscalationRoute } from '@/server/features/agents/escalation.schema';
import { RouteChannels } from './route-channels';
import { RouteFold } from './route-fold';
import type { RoutesValues } from './route-values';
import { emptyEmailHint, waitHint } from './route-words';

interface RouteFieldsProps {
  index: number;
  draft: EscalationRoute;
  ownerEmail: string;
  isLast: boolean;
}

/** Everything about one level but its place. Contacts are asked for where a chosen channel uses them; what is stored of others stays. */
export function RouteFields({ index, draft, ownerEmail, isLast }: RouteFieldsProps) {
  const { control } = useFormContext<RoutesValues>();
  const { errors } = useFormState({ control });
  const refused = errors.routes?.[index];
  const path = `routes.${index}` as const;
  const asks = (channel: EscalationChannel, contact: keyof EscalationRoute['contactInfo']) =>
    draft.channels.includes(channel) || refused?.contactInfo?.[contact] !== undefined;

  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <FormTextField
          control={control}
          name={`${path}.label`}
          label="Label"
          placeholder="Ann, on call"
          autoComplete="off"
          className="sm:col-span-2"
        />
        <FormTextField
          control={control}
          name={`${path}.timeoutMins`}
          label="Minutes to wait"
          description={waitHint(draft.timeoutMins, isLast)}
          inputMode="numeric"
          autoComplete="off"
          isRequired
        />
      </div>
      <RouteChannels index={index} />
      <div className="grid items-start gap-4 empty:hidden sm:grid-cols-2">
        {asks('email', 'email') && (
          <FormTextField
            control={control}
            name={`${path}.contactInfo.email`}
            label="Email"
            description={emptyEmailHint(draft, ownerEmail)}
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
            description="With country code and without spaces, such as +4940555012."
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
            description="#channel, @user or Slack's id of either."
            autoCapitalize="none"
            autoComplete="off"
            isRequired={draft.channels.includes('slack')}
          />
        )}
      </div>
      <div className="flex flex-col gap-1">
        <RouteFold title="Instructions" note={draft.instructions} isRefused={refused?.instructions !== undefined}>
          <FormTextArea
            control={control}
            name={`${path}.instructions`}
            label="Instructions"
            hideLabel
            rows={3}
            description="What whoever is asked should know or do."
          />
        </RouteFold>
        <RouteFold
          title="Advanced"
          note={[draft.toRole, draft.toUserId].filter(Boolean).join(', ')}
          isRefused={refused?.toRole !== undefined || refused?.toUserId !== undefined}
        >
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <FormTextField
              control={control}
              name={`${path}.toRole`}
              label="Role"
              description="Whom this level is meant for, for programs that read the routes."
              autoComplete="off"
            />
            <FormTextField
              control={control}
              name={`${path}.toUserId`}
              label="User id"
              description="Is mailed where no email address is given."
              autoCapitalize="none"
              autoComplete="off"
              mono
            />
          </div>
        </RouteFold>
      </div>
    </div>
  );
}
