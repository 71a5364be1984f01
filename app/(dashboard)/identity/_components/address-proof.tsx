import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { CodeLine } from '@/app/_kit/code-line';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { AddressList, FurtherAddress } from '@/server/features/addresses/address.schema';

interface AddressProofProps {
  address: FurtherAddress;
  canSendCodes: boolean;
}

const beginnings: Record<FurtherAddress['status'], string> = {
  pending: 'No email is received or sent through this address until you verify it.',
  contested: 'Another business also uses this address or its domain. No email arrives here until you verify it.',
  refused: 'Another business uses this address or has verified its domain. Remove it, or ask your administrator.',
  proven: '',
};

/** Two ways to verify an address: a mailed code, or a TXT record at its domain. */
export function AddressProof({ address, canSendCodes }: AddressProofProps) {
  return (
    <div className="mt-3 flex flex-col gap-4 pb-1.5">
      <p className="text-label text-muted">{beginnings[address.status]}</p>
      {address.status !== 'refused' && (
        <>
          <CodeProof address={address} canSendCodes={canSendCodes} />
          {address.domain && <DomainProof address={address.address} domain={address.domain} />}
        </>
      )}
    </div>
  );
}

/** Stores a returned list in the page's query; other pages show the addresses that receive mail as well. */
function useListUpdate(): (list: AddressList) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (list) => {
    queryClient.setQueryData(trpc.identity.addresses.queryKey({}), list);
    void queryClient.invalidateQueries({ queryKey: trpc.identity.get.queryKey({}) });
    void queryClient.invalidateQueries(trpc.agentMail.pathFilter());
  };
}

const resolver = schemaResolver<{ code: string }>(() =>
  import('@/server/features/addresses/address.schema').then((module) => module.confirmAddressCodeInput.pick({ code: true })),
);

function CodeProof({ address: { address, code }, canSendCodes }: AddressProofProps) {
  const trpc = useTRPC();
  const update = useListUpdate();
  const form = useForm<{ code: string }>({ defaultValues: { code: '' }, resolver });
  const send = useMutation(
    trpc.identity.sendAddressCode.mutationOptions({
      onSuccess: update,
      onError: (error) => toast.failure('Couldn’t send the code.', error),
    }),
  );
  const confirm = useMutation(trpc.identity.confirmAddressCode.mutationOptions({ onSuccess: update }));
  const { failure, submit } = useFormSubmit(form, (typed) => confirm.mutateAsync({ address, ...typed }));
  const sendButton = (
    <PendingButton
      size="sm"
      variant="secondary"
      needs="identity:write"
      isPending={send.isPending}
      onPress={() => send.mutate({ address })}
    >
      {code ? 'Send another code' : 'Send code'}
    </PendingButton>
  );
  return (
    <section aria-label="Verify with a code" className="flex flex-col items-start gap-2">
      <h3 className="text-label font-medium">With a code</h3>
      {!canSendCodes ? (
        <p className="text-label text-muted">
          Codes aren’t available because outgoing email isn’t set up. Use the TXT record, or ask your administrator to verify the
          address.
        </p>
      ) : !code ? (
        <>
          <p className="text-label text-muted">We’ll email a code to {address}.</p>
          {sendButton}
        </>
      ) : (
        <form
          method="post"
          onSubmit={submit}
          noValidate
          aria-label={`Code for ${address}`}
          className="flex w-full flex-col gap-3"
        >
          <p className="text-label text-muted">
            Code sent <RelativeTime value={code.sentAt} />. It works for an hour. If you don’t see it, check your spam folder.
          </p>
          <FormTextField
            control={form.control}
            name="code"
            label="Code"
            autoComplete="one-time-code"
            inputMode="numeric"
            spellCheck="false"
            isRequired
            mono
          />
          <FormError failure={failure} />
          <div className="flex flex-wrap gap-2">
            <PendingButton type="submit" size="sm" variant="primary" needs="identity:write" isPending={confirm.isPending}>
              Confirm code
            </PendingButton>
            {sendButton}
          </div>
        </form>
      )}
    </section>
  );
}

/** A TXT record to add, with the result of the last lookup. */
export function DomainProof({ address, domain }: { address: string; domain: NonNullable<FurtherAddress['domain']> }) {
  const trpc = useTRPC();
  const update = useListUpdate();
  const check = useMutation(
    trpc.identity.checkAddressDomain.mutationOptions({
      onSuccess: update,
      onError: (error) => toast.failure('Couldn’t check the domain.', error),
    }),
  );
  const { name, record, checkedAt, nextCheckAt, problem } = domain;
  return (
    <section aria-label="Verify with DNS" className="flex flex-col items-start gap-2">
      <h3 className="text-label font-medium">With DNS, for the whole domain</h3>
      <p className="text-label text-muted">
        Add this TXT record at {name}. It verifies every address at the domain, including ones you add later.
      </p>
      <div className="w-full">
        <CodeLine label={`TXT record at ${name}`} value={record} copyLabel="Copy TXT record" />
      </div>
      <div role="status" className="text-label">
        {problem && (
          <p className="text-warning-text">
            {problem}{' '}
            {checkedAt && (
              <>
                Checked <RelativeTime value={checkedAt} />.
              </>
            )}
          </p>
        )}
        <p className="text-muted">
          {nextCheckAt ? (
            <>
              Next automatic check: <RelativeTime value={nextCheckAt} />.
            </>
          ) : (
            'No longer checked automatically.'
          )}
        </p>
      </div>
      <PendingButton
        size="sm"
        variant="secondary"
        needs="identity:write"
        isPending={check.isPending}
        onPress={() => check.mutate({ address })}
      >
        Check now
      </PendingButton>
    </section>
  );
}
