'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import { CodeFact, Fact, FactList } from '@/app/_kit/facts';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { PageHeader } from '@/app/_kit/page-header';
import { QueryResult } from '@/app/_kit/query-result';
import { RecordForm } from '@/app/_kit/record-form';
import { RelativeTime } from '@/app/_kit/relative-time';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SectionCard } from '@/app/_kit/section-card';
import { useRecordForm } from '@/app/_kit/use-record-form';
import { ifMatch, useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { IdentityRecord } from '@/server/features/addresses/identity-record.schema';
import { aboutMaximum } from '@/server/features/identity/identity.limits';
import { AgentMailNotice } from '../../agents/_components/agent-mail-notice';
import { AddressesCard } from './addresses-card';
import { AgentAddressesCard } from './agent-addresses-card';
import { type ProfileValues, profilePartNames, toProfileValues } from './profile-values';
import { ServicesEditor } from './services-editor';

/** The business profile: the form on the left, read-only facts and immediate actions on the right. */
export function BusinessProfile() {
  const trpc = useTRPC();
  const query = useQuery(trpc.identity.get.queryOptions({}));
  const { data: listed } = useQuery(trpc.identity.addresses.queryOptions({}));
  const hasUnverified = listed?.addresses.some(({ status }) => status !== 'proven') ?? false;
  return (
    <>
      <PageHeader title="Business profile" description="What customers and your agents know about your business." />
      <AgentMailNotice />
      <QueryResult query={query} failure="Couldn’t load the profile" loading="Loading profile" lines={10}>
        {(identity) => (
          <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <ProfileForm identity={identity} />
            <div className="flex min-w-0 flex-col gap-6 max-lg:contents">
              {/* What waits for a code is in view, also on a phone. */}
              <div className={`min-w-0 ${hasUnverified ? 'max-lg:order-first' : ''}`}>
                <AddressesCard />
              </div>
              <AgentAddressesCard />
              <IdentityFacts identity={identity} />
            </div>
          </div>
        )}
      </QueryResult>
    </>
  );
}

const scopes: Record<IdentityRecord['scope'], string> = {
  business: 'Company',
  identity: 'Individual',
};

/** Public identifiers of the business. */
function IdentityFacts({ identity }: { identity: IdentityRecord }) {
  const { handle, address, scope, id, createdAt, updatedAt } = identity;
  return (
    <SectionCard title="Account details" description="Used in links, emails and integrations.">
      <FactList>
        <Fact
          term="URL name"
          note="Used in your blog’s web address. Can’t be changed."
          copy={{ value: handle, label: 'Copy URL name' }}
        >
          <CodeFact>{handle}</CodeFact>
        </Fact>
        <Fact
          term="Email address"
          note={address ? 'To change it, verify an alias and make it primary.' : 'Verify an alias and make it primary.'}
          {...(address ? { copy: { value: address, label: 'Copy email address' } } : {})}
        >
          <span className="truncate" title={address ?? undefined}>
            {address ?? 'Not set'}
          </span>
        </Fact>
        <Fact term="Type">{scopes[scope]}</Fact>
        <Fact term="Business ID" copy={{ value: id, label: 'Copy business ID' }}>
          <CodeFact>{id}</CodeFact>
        </Fact>
        <Fact term="Created">
          <RelativeTime value={createdAt} />
        </Fact>
        {updatedAt && (
          <Fact term="Updated">
            <RelativeTime value={updatedAt} />
          </Fact>
        )}
      </FactList>
    </SectionCard>
  );
}

const toStored = (identity: IdentityRecord) => ({ values: toProfileValues(identity), version: identity.revision });

const loadSchema = () => import('./profile-schema');

const resolver = schemaResolver<ProfileValues>(() => loadSchema().then((module) => module.profileSchema));

/** The profile's form. Only changed parts are sent. */
function ProfileForm({ identity }: { identity: IdentityRecord }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const client = useTRPCClient();
  const values = useMemo(() => toProfileValues(identity), [identity]);
  const record = useRecordForm<ProfileValues>({
    draftName: 'profile',
    values,
    resolver,
    version: identity.revision,
    parts: profilePartNames,
    save: async (typed, changed, version) => {
      const { toProfileUpdate } = await loadSchema();
      const saved = await client.identity.update.mutate(toProfileUpdate(typed, changed), ifMatch(version));
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
  const { control } = record.form;
  return (
    <RecordForm record={record} label="Business profile" subject="the business profile" needs="identity:write">
      <SectionCard title="Profile">
        <div className="flex flex-col gap-4">
          <FormTextField
            control={control}
            name="displayName"
            label="Display name"
            description="Shown to customers."
            autoComplete="organization"
          />
          <FormTextField control={control} name="profile.tagline" label="Tagline" description="One-line summary" />
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
    </RecordForm>
  );
}
