import { Trash2 } from 'lucide-react';
import Link from 'next/link';
import { type ClipboardEvent, type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { IconButton } from '@/app/_kit/icon-button';
import { isSame } from '@/app/_kit/is-same';
import { PendingButton } from '@/app/_kit/pending-button';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import type { ComposerChoices, ReplyDraft } from '@/server/features/conversations/composer.schema';
import { AttachButton } from '../../_components/uploads/attach-button';
import { AttachmentList } from '../../_components/uploads/attachment-list';
import type { Uploads } from '../../_components/uploads/use-uploads';
import { filesOf } from '../../_components/uploads/with-files';
import { countRecipients } from './composer-addresses';
import { consequence, nameHint, senderHint, uploadHint } from './composer-labels';
import { ComposerRecipients } from './composer-recipients';
import { type ComposerValues, noAgent, type SendLater } from './composer-values';
import { nameOf } from './conversation-labels';
import { DraftClashNotice } from './draft-clash-notice';
import type { MessageWriter } from './editor/message-writer';
import { pictureIdsIn } from './editor/pictures';
import { FormatSwitch, MessageField, writeText } from './message-field';
import { SendLaterMenu } from './send-later-menu';
import { SnippetMenu } from './snippet-menu';
import type { ComposerDraft } from './use-composer-draft';
import { useFileDrop } from './use-file-drop';

interface ComposerFormProps {
  kind: 'reply' | 'new';
  form: UseFormReturn<ComposerValues>;
  choices: ComposerChoices;
  /** All recipients of a reply. */
  all?: Pick<ReplyDraft, 'to' | 'cc'>;
  /** The message that is forwarded, as it will follow the text. */
  quotation?: string | undefined;
  uploads: Uploads;
  failure: FormFailure | null;
  isSending: boolean;
  draft: Pick<ComposerDraft, 'keptOn' | 'clash' | 'keepMine' | 'takeTheirs'>;
  onSend: (later?: SendLater) => void;
  onDiscard: () => void;
  /** Called on Escape. */
  onClose: () => void;
}

/** The open composer: sender, recipients, text, attachments and signature. */
export function ComposerForm(props: ComposerFormProps) {
  const { kind, form, choices, all, quotation, uploads, failure, isSending, draft, onSend, onDiscard, onClose } = props;
  const { control } = form;
  const [from, to, cc, bcc, agentId] = useWatch({ control, name: ['from', 'to', 'cc', 'bcc', 'agentId'] });
  const writer = useRef<MessageWriter>(null);
  const [wantsCc, setWantsCc] = useState(false);
  const [wantsBcc, setWantsBcc] = useState(false);
  const showsCc = wantsCc || cc.length > 0;
  const showsBcc = wantsBcc || bcc.length > 0;
  const agent = choices.agents.find(({ id }) => id === agentId);
  const sender = choices.senders.find(({ email }) => email === from);
  const isDropping = useFileDrop(uploads.add);
  // A file that is missing would only be noticed by its recipients.
  const missing = uploadHint(uploads.pending);

  const send = (later?: SendLater) => {
    if (missing === null) onSend(later);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.defaultPrevented) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && isMessage(event.target)) {
      onClose();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    const { files, types } = event.clipboardData;
    // Office programs add a picture of the text that they copy.
    if (files.length === 0 || types.includes('text/plain') || event.defaultPrevented) return;
    event.preventDefault();
    uploads.add([...files]);
  };

  return (
    <form
      aria-label={kind === 'new' ? 'New email' : 'Reply'}
      className="relative bg-surface"
      method="post"
      noValidate
      onKeyDown={onKeyDown}
      onPaste={onPaste}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <UnsavedChangesGuard
        isDirty={uploads.pending.some(({ problem }) => problem === null)}
        subject="this email: files are being uploaded"
      />
      {/* Disabled while sending, since text typed now would be lost. */}
      <div inert={isSending} className={`flex flex-col gap-3 px-4 pt-4 transition-opacity ${isSending ? 'opacity-60' : ''}`}>
        <div className="grid grid-cols-2 items-start gap-3">
          <FormSelect
            control={control}
            name="from"
            label="From"
            className="min-w-0"
            options={choices.senders.map(({ email }) => ({ value: email, label: email }))}
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
              ...choices.agents.map(({ id, name, avatarEmoji }) => ({ value: id, label: `${avatarEmoji} ${name}`.trim() })),
            ]}
          />
        </div>
        <ComposerRecipients
          control={control}
          name="to"
          label="To"
          trailing={
            <>
              {!showsCc && <MoreRecipients label="Cc" onPress={() => setWantsCc(true)} />}
              {!showsBcc && <MoreRecipients label="Bcc" onPress={() => setWantsBcc(true)} />}
            </>
          }
        />
        {showsCc && <ComposerRecipients control={control} name="cc" label="Cc" autoFocus={wantsCc && cc.length === 0} />}
        {showsBcc && <ComposerRecipients control={control} name="bcc" label="Bcc" autoFocus={wantsBcc && bcc.length === 0} />}
        {kind === 'new' && <FormTextField control={control} name="subject" label="Subject" hideLabel placeholder="Subject" />}
        <MessageField
          form={form}
          uploads={uploads}
          writer={writer}
          placeholder={kind === 'new' ? 'Write your email' : 'Write your reply'}
          // Grows with its text, up to the room that the elements around it leave.
          className={`field-sizing-content text-base leading-6 lg:scroll-mb-20 ${
            kind === 'new' ? (quotation === undefined ? 'min-h-64' : 'min-h-28') : 'max-h-[50vh] lg:max-h-[25vh] min-h-36'
          }`}
        />
        <ComposerFiles form={form} uploads={uploads} />
        {agent ? <AgentSignature text={agent.signature} name={agent.name} /> : <Signature text={choices.signature} />}
        {kind === 'reply' && (
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <label className="flex w-fit cursor-pointer items-center gap-2 text-label max-sm:min-h-8">
              <input type="checkbox" {...form.register('quote')} className="size-4 accent-accent" />
              Include previous message
            </label>
            {all && <OneOrAll form={form} all={all} />}
          </div>
        )}
        {quotation !== undefined && (
          <section aria-label="Forwarded message" className="border-l-2 border-border-secondary pl-3 text-muted">
            <p className="max-h-64 overflow-y-auto whitespace-pre-wrap wrap-anywhere">{quotation}</p>
          </section>
        )}
        {choices.senders.length === 0 && <NoSender />}
        {draft.clash && <DraftClashNotice clash={draft.clash} onKeepMine={draft.keepMine} onTakeTheirs={draft.takeTheirs} />}
        <FormError failure={failure} />
      </div>
      <div className="@container bg-surface px-4 py-3 lg:sticky lg:bottom-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <PendingButton
            type="submit"
            variant="primary"
            needs="conversations:send"
            isPending={isSending}
            isDisabled={choices.senders.length === 0 || missing !== null}
            aria-keyshortcuts="Control+Enter Meta+Enter"
          >
            Send
          </PendingButton>
          <SendLaterMenu
            isDisabled={isSending || choices.senders.length === 0 || missing !== null}
            isReply={kind === 'reply'}
            onChoose={send}
          />
          <AttachButton isDisabled={isSending} onFiles={uploads.add} />
          <SnippetMenu form={form} isDisabled={isSending} onText={(text) => writeText(form, writer.current, text)} />
          <FormatSwitch form={form} isDisabled={isSending} />
          <p className="text-label text-muted">
            {missing ?? (
              <>
                {consequence(countRecipients(to, cc, bcc))}
                {(sender?.canSend ?? true) ? '' : ' · sent once SMTP_URL is set'}
              </>
            )}
          </p>
          <div className="ml-auto flex items-center gap-3">
            {/* As wide as its text from the start: when that came, the row would break and Send move away from under a click. */}
            <p role="status" className="min-w-20 text-right text-label text-muted @lg:min-w-44">
              {draft.keptOn !== null && 'Draft saved'}
              {draft.keptOn === 'device' && <span className="hidden @lg:inline"> on this device</span>}
            </p>
            <IconButton label="Delete draft" isDisabled={isSending} onPress={onDiscard}>
              <Trash2 aria-hidden />
            </IconButton>
          </div>
        </div>
      </div>
      {isDropping && (
        <p className="pointer-events-none absolute inset-2 z-20 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft font-medium">
          Drop files to attach them
        </p>
      )}
    </form>
  );
}

const isMessage = (element: EventTarget) =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable);

/** The attachments, without those that the text shows. */
function ComposerFiles({ form, uploads }: Pick<ComposerFormProps, 'form' | 'uploads'>) {
  const [format, text] = useWatch({ control: form.control, name: ['format', 'text'] });
  const shown = useMemo(() => (format === 'markdown' ? pictureIdsIn(text) : undefined), [format, text]);
  return <AttachmentList form={filesOf(form)} uploads={uploads} shownElsewhere={shown} />;
}

/** Changes between a reply to all and one to the sender. */
function OneOrAll({ form, all }: { form: UseFormReturn<ComposerValues>; all: Pick<ReplyDraft, 'to' | 'cc'> }) {
  const [to, cc] = useWatch({ control: form.control, name: ['to', 'cc'] });
  const [first, ...others] = [...all.to, ...all.cc];
  if (!first || others.length === 0) return null;
  const isToAll = isSame([to, cc], [all.to, all.cc]);
  const change = () => {
    form.setValue('to', isToAll ? [first] : all.to, { shouldDirty: true });
    form.setValue('cc', isToAll ? [] : all.cc, { shouldDirty: true });
  };
  return (
    <Button variant="ghost" size="sm" onPress={change}>
      {isToAll ? `Reply to ${nameOf(first)} only` : 'Reply to all'}
    </Button>
  );
}

function MoreRecipients({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button variant="ghost" size="sm" className="h-6.5! min-h-0! max-sm:h-8!" onPress={onPress}>
      {label}
    </Button>
  );
}

function AgentSignature({ text, name }: { text: string; name: string }) {
  return text.trim() === '' ? <p className="text-label text-muted">{name} has no signature.</p> : <Signature text={text} />;
}

/** A signature as it will appear below the text. */
function Signature({ text }: { text: string }) {
  if (text === '') return null;
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
