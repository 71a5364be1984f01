'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { FormProvider } from 'react-hook-form';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { SaveBar } from '@/app/_kit/save-bar';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { aboutMaximum } from '@/server/features/identity/identity.limits';
import type { IdentityRecord, UpdateIdentityInput } from '@/server/features/identity/identity.schema';
import { type ProfilePart, type ProfileValues, profilePartNames, toProfileValues } from './profile-values';
import { ServicesEditor } from './services-editor';

const toStored = (identity: IdentityRecord) => ({ values: toProfileValues(identity), version: identity.updatedAt });

const loadSchema = () => import('./profile-schema');

const resolver = schemaResolver<ProfileValues>(() => loadSchema().then((module) => module.profileSchema));

/** The profile's form. Only changed parts are sent. */
export function ProfileForm({ identity }: { identity: IdentityRecord }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const client = useTRPCClient();
  const { mutateAsync } = useMutation({
    mutationFn: ({ version, ...input }: UpdateIdentityInput & { version: string | null }) =>
      client.identity.update.mutate(input, ifMatch(version)),
  });
  const values = useMemo(() => toProfileValues(identity), [identity]);
  const { form, formProps, isDirty, discard, forgetDraft, ...state } = useRecordForm<ProfileValues>({
    draftName: 'profile',
    values,
    resolver,
    version: identity.updatedAt,
    parts: profilePartNames,
    save: async (typed, changed, version) => {
      const { toProfileUpdate } = await loadSchema();
      const saved = await mutateAsync({ ...toProfileUpdate(typed, changed as ReadonlySet<ProfilePart>), version });
      queryClient.setQueryData(trpc.identity.get.queryKey({}), saved);
      // The server renders the frame around the page, which shows the name.
      if (changed.has('displayName')) {
        void queryClient.invalidateQueries(trpc.account.get.queryFilter());
        router.refresh();
      }
      return toStored(saved);
    },
    fetchNewest: async () => toStored(await queryClient.fetchQuery(trpc.identity.get.queryOptions({}, { staleTime: 0 }))),
  });
  const { control } = form;
  return (
    <FormProvider {...form}>
      <form {...formProps} aria-label="Business profile" className="flex min-w-0 flex-col gap-6">
        <SectionCard title="Profile">
          <div className="flex flex-col gap-4">
            <FormTextField
              control={control}
              name="displayName"
              label="Display name"
              description="What the business is called wherever it is shown; without it, the handle stands there."
              autoComplete="organization"
            />
            <FormTextField
              control={control}
              name="profile.tagline"
              label="Tagline"
              description="One line that says what you do."
            />
            <FormTextArea control={control} name="profile.about" label="About" rows={7} maxLength={aboutMaximum} counter />
            <FormTextField
              control={control}
              name="profile.website"
              label="Website"
              type="url"
              inputMode="url"
              autoCapitalize="none"
              placeholder="yourbusiness.example"
              autoComplete="url"
            />
          </div>
        </SectionCard>
        <ServicesEditor />
        <SaveBar isDirty={isDirty} onDiscard={discard} {...state} />
      </form>
      <UnsavedChangesGuard isDirty={isDirty} subject="the business profile" onLeave={forgetDraft} />
    </FormProvider>
  );
}
