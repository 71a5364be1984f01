import { ALargeSmall } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { type UseFormReturn, useController, useWatch } from 'react-hook-form';
import { FormTextArea } from '@/app/_kit/form-fields';
import { IconButton } from '@/app/_kit/icon-button';
import { insertText } from '@/app/_kit/insert-text';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { toast } from '@/app/_kit/toast';
import type { Uploads } from '../../_components/uploads/use-uploads';
import type { ComposerValues } from './composer-values';
import type { MessageWriter } from './editor/message-writer';

const FormattedField = onDemandComponent(
  () => import('./editor/formatted-field').then((module) => module.FormattedField),
  <div role="status" aria-label="Loading the editor" className="min-h-36" />,
);

interface MessageFieldProps {
  form: UseFormReturn<ComposerValues>;
  uploads: Uploads;
  /** Of the editor, once it is loaded. */
  writer: RefObject<MessageWriter | null>;
  placeholder: string;
  /** Classes of the editable element. */
  className: string;
}

/** The text of an email: plain, or in an editor with formats. */
export function MessageField({ form, placeholder, className, ...editor }: MessageFieldProps) {
  const format = useWatch({ control: form.control, name: 'format' });
  if (format === 'markdown') return <FormattedMessage form={form} placeholder={placeholder} className={className} {...editor} />;
  return (
    <FormTextArea
      control={form.control}
      name="text"
      label="Message"
      hideLabel
      rows={6}
      placeholder={placeholder}
      inputClassName={className}
    />
  );
}

function FormattedMessage({ form, writer, ...props }: MessageFieldProps) {
  const { ref: registerField } = useController({ control: form.control, name: 'text' }).field;
  const wantsFocus = useRef(false);
  useEffect(() => {
    const focus = () => {
      wantsFocus.current = writer.current === null;
      writer.current?.focus();
    };
    registerField({ focus });
  }, [registerField, writer]);
  const onReady = () => {
    if (wantsFocus.current) writer.current?.focus();
  };
  return <FormattedField form={form} ref={writer} onReady={onReady} {...props} />;
}

/** Writes a text at the cursor. */
export function writeText(form: UseFormReturn<ComposerValues>, writer: MessageWriter | null, text: string): void {
  if (writer) writer.insert(text);
  else insertText(form, 'text', text);
}

interface FormatSwitchProps {
  form: UseFormReturn<ComposerValues>;
  isDisabled: boolean;
}

/** Changes between plain and formatted text. */
export function FormatSwitch({ form, isDisabled }: FormatSwitchProps) {
  const isFormatted = useWatch({ control: form.control, name: 'format' }) === 'markdown';
  const change = async () => {
    try {
      const { toFormatted, toPlain } = await import('./editor/formats');
      const text = form.getValues('text');
      form.setValue('text', isFormatted ? toPlain(text) : toFormatted(text), { shouldDirty: true });
      form.setValue('format', isFormatted ? 'plain' : 'markdown', { shouldDirty: true });
    } catch (error) {
      toast.failure('Couldn’t change the format.', error);
    }
  };
  return (
    <IconButton
      label="Formatted text"
      hint={isFormatted ? 'Write plain text' : 'Format the text'}
      aria-pressed={isFormatted}
      isDisabled={isDisabled}
      className="-ml-2 aria-pressed:bg-default aria-pressed:text-foreground"
      onPress={() => void change()}
    >
      <ALargeSmall aria-hidden />
    </IconButton>
  );
}
