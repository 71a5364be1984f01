import { useQuery } from '@tanstack/react-query';
import { useDebounced } from '@/app/_kit/use-debounced';
import { useTRPC } from '@/app/_trpc/client';

const settleMilliseconds = 150;

/** Contacts that match a typed name or address, without those in `present`. */
export function useContactSuggestions(text: string, present: readonly { email: string }[]) {
  const trpc = useTRPC();
  const query = useDebounced(text.trim(), settleMilliseconds);
  const { data, isFetching } = useQuery(
    trpc.customers.suggestContacts.queryOptions({ query: query.slice(0, 254) }, { enabled: query !== '', staleTime: 30_000 }),
  );
  if (text.trim() === '') return { contacts: [], isSearching: false };
  const isSearching = query !== text.trim() || isFetching;
  if (query === '') return { contacts: [], isSearching };
  const known = new Set(present.map(({ email }) => email));
  return { contacts: (data?.contacts ?? []).filter(({ email }) => !known.has(email)), isSearching };
}

/** A contact in a list of suggestions. */
export function ContactOption({ contact: { email, name } }: { contact: { email: string; name: string } }) {
  return (
    <>
      <span className="block truncate">{name === '' ? email : name}</span>
      {name !== '' && <span className="block truncate text-label text-muted">{email}</span>}
    </>
  );
}
