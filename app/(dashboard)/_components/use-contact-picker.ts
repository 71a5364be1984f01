import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import { nextOption, optionId } from '@/app/_kit/option-list';
import { useDebounced } from '@/app/_kit/use-debounced';
import { useTRPC } from '@/app/_trpc/client';

const settleMilliseconds = 150;

export interface Contact {
  email: string;
  name: string;
}

/** Contacts that match a typed name or address, without those in `present`. */
function useContactSuggestions(text: string, present: readonly { email: string }[]) {
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

interface ContactPickerOptions {
  /** What is typed. */
  text: string;
  /** Those who are in the field already. */
  present: readonly { email: string }[];
  /** True for a text that is no address: it can only be the beginning of a contact, so Enter and Tab take the first one. */
  isName: boolean;
  onChoose: (contact: Contact) => void;
  /** Takes the text as it is, after no contact was found for it. */
  onTake: () => void;
}

/** The contacts that match what is typed into a field, as its list of options; see `OptionList`. */
export function useContactPicker({ text, present, isName, onChoose, onTake }: ContactPickerOptions) {
  const listId = `${useId()}-contacts`;
  const { contacts, isSearching } = useContactSuggestions(text, present);
  const [isWanted, setIsWanted] = useState(false);
  /** The option highlighted by keys (-1: none); null while none were pressed. */
  const [gone, setGone] = useState<number | null>(null);
  /** Enter or Tab was pressed before the contacts were loaded. */
  const [isTakePending, setIsTakePending] = useState(false);
  const isOpen = isWanted && contacts.length > 0;
  const active = gone ?? (isOpen && isName ? 0 : -1);

  const show = (wanted: boolean) => {
    setIsWanted(wanted);
    setGone(null);
    setIsTakePending(false);
  };
  const choose = (index: number) => {
    const contact = contacts[index];
    show(false);
    if (contact) onChoose(contact);
  };
  const takeFirst = useEffectEvent(() => {
    if (contacts.length > 0) return choose(0);
    show(false);
    onTake();
  });
  useEffect(() => {
    if (isTakePending && !isSearching) takeFirst();
  }, [isTakePending, isSearching]);

  /** @returns whether the key was for the list */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const isEnter = event.key === 'Enter' && !event.ctrlKey && !event.metaKey;
    const isTaking = isEnter || (event.key === 'Tab' && !event.shiftKey);
    if (step !== undefined && contacts.length > 0) {
      setIsWanted(true);
      setGone(isOpen ? nextOption(active, step, contacts.length) : 0);
    } else if (event.key === 'Escape' && isOpen) {
      // Closes the list, and not what the field is in.
      event.stopPropagation();
      show(false);
      return true;
    } else if (isTaking && isName && isSearching && gone === null) {
      setIsTakePending(true);
    } else if (isTaking && isOpen && contacts[active]) {
      choose(active);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  };

  return {
    show,
    onKeyDown,
    /** Props of the input. */
    comboboxProps: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': isOpen,
      'aria-controls': listId,
      'aria-activedescendant': isOpen && active >= 0 ? optionId(listId, active) : undefined,
    } as const,
    /** Props of the `OptionList`, apart from its options and its place. */
    listProps: { id: listId, label: 'Contacts', isOpen, active, onChoose: choose },
    contacts,
  };
}
