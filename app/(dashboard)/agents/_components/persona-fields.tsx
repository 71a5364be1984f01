'use client';

import { useFormContext } from 'react-hook-form';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { SectionCard } from '@/app/_kit/section-card';
import { FormTagInput } from '@/app/_kit/tag-input';
import { personaLimits } from '@/server/features/agents/agent.limits';
import type { PersonaValues } from './persona-values';

/** Traits worth offering while one is typed. */
const commonTraits = ['helpful', 'precise', 'patient', 'thorough', 'calm', 'cheerful', 'courteous', 'concise'];

/** Everything about an agent that its owner may change besides status and routes. Stands inside a FormProvider. */
export function PersonaFields() {
  const { control } = useFormContext<PersonaValues>();
  return (
    <>
      <SectionCard title="Voice">
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
            label="Traits"
            placeholder="Add a trait"
            description="Press Enter or comma after each."
            suggestions={commonTraits}
          />
          <FormTextArea
            control={control}
            name="persona.bio"
            label="Bio"
            description="Who this agent is and what it looks after."
            rows={4}
            maxLength={personaLimits.bio}
            counter
          />
          <FormTextArea
            control={control}
            name="persona.signature"
            label="Signature"
            description="Stands under every mail, line by line as it is here."
            rows={4}
            maxLength={personaLimits.signature}
            counter
          />
        </div>
      </SectionCard>
      <SectionCard title="Looks and tags">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
          <FormTextField control={control} name="persona.avatarEmoji" label="Emoji" autoComplete="off" placeholder="🙂" />
          <FormTextField
            control={control}
            name="avatarUrl"
            label="Picture"
            description="Its https address. Without one, the emoji stands for it."
            type="url"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            placeholder="https://"
          />
          <FormTextField
            control={control}
            name="persona.avatarUrl"
            label="Picture in mail"
            description="Only where mail is to show another one."
            type="url"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            placeholder="https://"
            className="sm:col-span-2"
          />
          <div className="sm:col-span-2">
            <FormTagInput control={control} name="tags" label="Tags" description="For your own order; mail does not show them." />
          </div>
        </div>
      </SectionCard>
    </>
  );
}
