import { useMutation, useQuery } from '@tanstack/react-query';
import { MessageSquareText } from 'lucide-react';
import { useRouter } from 'next/navigation';
import type { UseFormReturn } from 'react-hook-form';
import { IconButton } from '@/app/_kit/icon-button';
import { Dropdown } from '@/app/_kit/overlay/dropdown';
import { toast } from '@/app/_kit/toast';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { snippetPreview } from '@/server/features/conversations/snippet-text';
import { variableLabels } from '../../settings/snippets/_components/variable-labels';
import type { ComposerValues } from './composer-values';

interface SnippetMenuProps {
  form: UseFormReturn<ComposerValues>;
  isDisabled: boolean;
  /** Writes a text at the cursor. */
  onText: (text: string) => void;
}

/** Inserts a snippet at the cursor. */
export function SnippetMenu({ form, isDisabled, onText }: SnippetMenuProps) {
  const insert = useInsertSnippet(form, onText);
  return (
    <Dropdown>
      <IconButton label="Insert snippet" isDisabled={isDisabled || insert.isPending} className="-ml-2">
        <MessageSquareText aria-hidden />
      </IconButton>
      <Dropdown.Popover placement="top start" className="max-h-96 w-72">
        <SnippetItems onChoose={insert.mutate} />
      </Dropdown.Popover>
    </Dropdown>
  );
}

const manage = 'manage';
const settings = '/settings/snippets';

/** The snippets by name; typing its first letters leads to one. */
function SnippetItems({ onChoose }: { onChoose: (snippetId: string) => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const list = useQuery(trpc.snippets.list.queryOptions({}));
  const snippets = list.data?.snippets;
  return (
    <Dropdown.Menu
      aria-label="Snippets"
      onAction={(key) =>
        key === manage ? router.push(snippets?.length === 0 ? `${settings}?snippet=new` : settings) : onChoose(String(key))
      }
      disabledKeys={['state']}
    >
      {snippets?.map(({ id, name, text }) => (
        <Dropdown.Item key={id} id={id} textValue={name}>
          <span className="flex w-full min-w-0 flex-col">
            <Dropdown.Label className="truncate">{name}</Dropdown.Label>
            <span className="truncate text-xs text-muted">{snippetPreview(text)}</span>
          </span>
        </Dropdown.Item>
      ))}
      {!snippets && (
        <Dropdown.Item id="state" textValue="Loading">
          <Dropdown.Label>{list.isError ? 'Couldn’t load the snippets' : 'Loading…'}</Dropdown.Label>
        </Dropdown.Item>
      )}
      <Dropdown.Item id={manage} textValue="Manage snippets">
        <Dropdown.Label>{snippets?.length === 0 ? 'Create your first snippet' : 'Manage snippets'}</Dropdown.Label>
      </Dropdown.Item>
    </Dropdown.Menu>
  );
}

/** Writes a snippet for the first recipient at the cursor, attaches its files, and says which variables have no value. */
function useInsertSnippet(form: UseFormReturn<ComposerValues>, onText: SnippetMenuProps['onText']) {
  const client = useTRPCClient();
  return useMutation({
    mutationFn: (snippetId: string) => {
      const [recipient] = form.getValues('to');
      return client.snippets.fill.query({
        snippetId,
        ...(recipient && { email: recipient.email, displayName: recipient.displayName }),
      });
    },
    onSuccess: ({ text, missing, attachments }) => {
      onText(text);
      const present = form.getValues('attachments');
      const added = attachments.filter(({ id }) => !present.some((each) => each.id === id));
      if (added.length > 0) form.setValue('attachments', [...present, ...added], { shouldDirty: true });
      if (missing.length === 0) return;
      const names = missing.map((variable) => variableLabels[variable].label).join(', ');
      toast('Check the text', { description: `There is no value for: ${names}.` });
    },
    onError: (error) => toast.failure('Couldn’t insert the snippet.', error),
  });
}
