import { Trash2 } from 'lucide-react';
import Link from 'next/link';
import { type KeyboardEvent, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { FormError } from '@/app/_kit/form-error';
import { FormTextArea } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { IconButton } from '@/app/_kit/icon-button';
import { PendingButton } from '@/app/_kit/pending-button';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import type { ReplyDraft } from '@/server/features/conversations/conversation.schema';
import { countRecipients } from './composer-addresses';
import { consequence, nameHint, senderHint } from './composer-labels';
import { ComposerRecipients } from './composer-recipients';
import { type ComposerValues, noAgent } from './composer-values';

interface ComposerFormProps {
  form: UseFormReturn<ComposerValues>;
  draft: ReplyDraft;
  failure: FormFailure | null;
  isSending: boolean;
  /** True if the text survives a reload. */
  isKept: boolean;
  onSend: () => void;
  onDiscard: () => void;
  /** Called on Escape. */
  onClose: () => void;
}

/** The open composer: sender, recipients, text and signature. */
export function ComposerForm(props: ComposerFormProps) {
  const { form, draft, failure, isSending, isKept, onSend, onDiscard, onClose } = props;
  const { control } = form;
  const [from, to, cc, agentId] = useWatch({ control, name: ['from', 'to', 'cc', 'agentId'] });
  const [wantsCc, setWantsCc] = useState(false);
  const showsCc = wantsCc || cc.length > 0;
  const agent = draft.agents.find(({ id }) => id === agentId);
  const sender = draft.senders.find(({ email }) => email === from);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSend();
    } else if (event.key === 'Escape' && event.target instanceof HTMLTextAreaElement) {
      onClose();
    }
  };

  return (
    <form
      aria-label="Reply"
      className="bg-surface"
      method="post"
      noValidate
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {/* Disabled while sending, since text typed now would be lost. */}
      <div inert={isSending} className={`flex flex-col gap-3 px-4 pt-4 transition-opacity ${isSending ? 'opacity-60' : ''}`}>
        <div className="grid grid-cols-2 items-start gap-3">
          <FormSelect
            control={control}
            name="from"
            label="From"
            className="min-w-0"
            options={draft.senders.map(({ email }) => ({ value: email, label: email }))}
            description={senderHint(sender)}
          />
          <FormSelect
            control={control}
            name="agentId"
            label="Send as"
            className="min-w-0"
            description={nameHint(sender, agent?.name)}
            options={[
              { value: noAgent, label: 'You' },
              ...draft.agents.map(({ id, name, avatarEmoji }) => ({ value: id, label: `${avatarEmoji} ${name}`.trim() })),
            ]}
          />
        </div>
        <ComposerRecipients
          control={control}
          name="to"
          label="To"
          trailing={
            !showsCc && (
              <Button variant="ghost" size="sm" className="h-6.5! min-h-0! max-sm:h-8!" onPress={() => setWantsCc(true)}>
                Cc
              </Button>
            )
          }
        />
        {showsCc && <ComposerRecipients control={control} name="cc" label="Cc" autoFocus={wantsCc && cc.length === 0} />}
        <FormTextArea
          control={control}
          name="text"
          label="Message"
          hideLabel
          rows={6}
          placeholder="Write your reply"
          // Grows with its text, up to the room that the elements around it leave.
          className="[&_textarea]:field-sizing-content [&_textarea]:max-h-[50vh] lg:[&_textarea]:max-h-[25vh] lg:[&_textarea]:scroll-mb-20 [&_textarea]:min-h-36 [&_textarea]:text-base [&_textarea]:leading-6"
        />
        {agent && <Signature text={agent.signature} name={agent.name} />}
        <label className="flex w-fit cursor-pointer items-center gap-2 text-label max-sm:min-h-8">
          <input type="checkbox" {...form.register('quote')} className="size-4 accent-accent" />
          Include previous message
        </label>
        {draft.senders.length === 0 && <NoSender />}
        <FormError failure={failure} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-surface px-4 py-3 lg:sticky lg:bottom-0">
        <PendingButton
          type="submit"
          variant="primary"
          needs="conversations:send"
          isPending={isSending}
          isDisabled={draft.senders.length === 0}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          Send
        </PendingButton>
        <p className="text-label text-muted">
          {consequence(countRecipients(to, cc))}
          {draft.canSend ? '' : ' · sent once SMTP_URL is set'}
        </p>
        <div className="ml-auto flex items-center gap-3">
          {/* As wide as its text from the start: when that came, the row would break and Send move away from under a click. */}
          <p role="status" className="min-w-44 text-right text-label text-muted">
            {isKept && 'Draft saved on this device'}
          </p>
          <IconButton label="Delete draft" isDisabled={isSending} onPress={onDiscard}>
            <Trash2 aria-hidden />
          </IconButton>
        </div>
      </div>
    </form>
  );
}

/** The signature as it will appear below the text. */
function Signature({ text, name }: { text: string; name: string }) {
  if (text.trim() === '') {
    return <p className="text-label text-muted">{name} has no signature.</p>;
  }
  return (
    <section aria-label="Signature" className="border-l-2 border-border-secondary pl-3 text-muted">
      <p className="max-h-40 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{`-- \n${text}`}</p>
    </section>
  );
}

function NoSender() {
  return (
    <p className="rounded-md bg-warning-soft px-3 py-2 text-label text-warning-text">
      Add a sending address first.{' '}
      <Link href="/identity" className="font-medium underline underline-offset-2">
        Add address
      </Link>
      . Your draft is kept.
    </p>
  );
}
