'use client';

import { useMutation } from '@tanstack/react-query';
import { Check, ChevronsUpDown, Plus } from 'lucide-react';
import { useState } from 'react';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { roleLabels } from '@/app/_kit/role-labels';
import { toast } from '@/app/_kit/toast';
import { leavePage } from '@/app/_kit/unsaved-changes';
import { useTRPC } from '@/app/_trpc/client';
import type { FrameProps } from './frame-props';

const CreateIdentityDialog = onDemandComponent(() =>
  import('./create-identity-form').then((module) => module.CreateIdentityDialog),
);

type Identity = FrameProps['identity'];

const nameOf = ({ displayName, handle }: Identity) => displayName || handle;

/** The current business, and a menu with the owner's others and a way to create one. */
export function IdentitySwitcher({ account, identity }: FrameProps) {
  const trpc = useTRPC();
  const switchIdentity = useMutation(
    trpc.account.switchIdentity.mutationOptions({
      // A full load of the section's first page: nothing of the other business may stay in memory, and a customer's page exists
      // only for this one.
      onSuccess: () => window.location.assign(`/${window.location.pathname.split('/')[1] ?? ''}`),
      onError: (error) => toast.failure('Couldn’t switch business.', error),
    }),
  );

  const [isCreating, setCreating] = useState(false);

  const choose = (key: string) => {
    if (key === newKey) leavePage(() => setCreating(true));
    else if (key !== identity.id) switchIdentity.mutate({ identityId: key });
  };

  return (
    <>
      <Dropdown>
        <Dropdown.Trigger
          aria-label={`Switch business: ${nameOf(identity)}`}
          isDisabled={switchIdentity.isPending}
          className="flex h-10 max-w-full items-center gap-2.5 rounded-md px-1.5 text-left lg:w-full hover:bg-background-tertiary"
        >
          <IdentityLabel identity={identity} />
          <ChevronsUpDown aria-hidden className="ml-auto size-4 shrink-0 text-muted" />
        </Dropdown.Trigger>
        <Dropdown.Popover placement="bottom start" className="w-64 max-w-[calc(100vw-2rem)]">
          <Dropdown.Menu aria-label="Businesses" onAction={(key) => choose(String(key))}>
            <Dropdown.Section aria-label="Your businesses">
              {account.identities.map((entry) => (
                <Dropdown.Item key={entry.id} id={entry.id} textValue={nameOf(entry)}>
                  <IdentityLabel identity={entry} />
                  {entry.id === identity.id && (
                    <Check aria-label="Current" className="ml-auto size-4 shrink-0 text-accent-text" />
                  )}
                </Dropdown.Item>
              ))}
            </Dropdown.Section>
            <Dropdown.Separator className="my-1" />
            <Dropdown.Item id={newKey} textValue="New business">
              <span className="flex size-7 shrink-0 items-center justify-center">
                <Plus aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
              </span>
              New business…
            </Dropdown.Item>
          </Dropdown.Menu>
        </Dropdown.Popover>
      </Dropdown>
      {isCreating && <CreateIdentityDialog onClose={() => setCreating(false)} />}
    </>
  );
}

/** The menu entry that creates a business. */
const newKey = 'new';

function IdentityLabel({ identity }: { identity: Identity }) {
  const name = nameOf(identity);
  return (
    <>
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-md bg-accent text-label font-semibold text-accent-foreground"
      >
        {[...name][0]?.toUpperCase()}
      </span>
      <span className="min-w-0">
        <span className="block truncate font-medium" title={name}>
          {name}
        </span>
        {identity.role !== 'owner' && <span className="block text-xs text-muted">{roleLabels[identity.role].label}</span>}
      </span>
    </>
  );
}
