import { useQuery } from '@tanstack/react-query';
import { parseAsStringEnum, useQueryState } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { SectionCard } from '@/app/_kit/section-card';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import { providerNames, providers } from './providers';

const ClientForm = onDemandComponent(() => import('./client-form').then((file) => file.ClientForm));

/** The clients of the business at providers of mailboxes; nothing where it has none. */
export function ClientsCard() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.mailboxClients.list.queryOptions({}));
  const [open, setOpen] = useQueryState('client', parseAsStringEnum(providerNames).withOptions({ history: 'push' }));
  const { isAllowed } = usePermission('identity:write');
  const opened = data?.mailboxClients.find(({ provider }) => provider === open);
  const close = () => void setOpen(null);
  if (!data || data.total === 0) return null;
  return (
    <>
      <SectionCard title="OAuth clients" description="By which members sign in to mailboxes at these providers." flush>
        <ul aria-label="OAuth clients" className="divide-y divide-separator">
          {data.mailboxClients.map(({ provider, clientId }) => (
            <li key={provider} className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-3 sm:px-5">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{providers[provider].name}</p>
                <p className="text-label text-muted wrap-anywhere">{clientId}</p>
              </div>
              <Button
                variant="secondary"
                size="sm"
                needs="identity:write"
                aria-label={`Edit the client at ${providers[provider].name}`}
                onPress={() => void setOpen(provider)}
              >
                Edit
              </Button>
            </li>
          ))}
        </ul>
      </SectionCard>
      {isAllowed && opened && (
        <Dialog isOpen onOpenChange={close} title={`OAuth client at ${providers[opened.provider].name}`}>
          <ClientForm
            provider={opened.provider}
            client={opened}
            redirectUri={data.redirectUri}
            submitLabel="Save changes"
            onSaved={close}
            onCancel={close}
          />
        </Dialog>
      )}
    </>
  );
}
