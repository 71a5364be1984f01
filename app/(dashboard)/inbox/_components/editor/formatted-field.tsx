import type { JSONContent } from '@tiptap/core';
import { Placeholder } from '@tiptap/extensions';
import { type Editor, EditorContent, useEditor } from '@tiptap/react';
import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { type UseFormReturn, useController } from 'react-hook-form';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { fieldMessage } from '@/app/_kit/field-message';
import { FormTextArea } from '@/app/_kit/form-fields';
import { TextField } from '@/app/_kit/text-field';
import type { Uploads } from '../../../_components/uploads/use-uploads';
import type { ComposerValues } from '../composer-values';
import { EditorToolbar } from './editor-toolbar';
import { extensionsOf } from './extensions';
import type { MessageWriter } from './message-writer';
import { followPictures, pictureIdsIn, pictureReference } from './pictures';
import { documentOfText, linesOf } from './plain-text';
import { documentOf } from './read-markdown';
import { markdownOf } from './write-markdown';

export interface FormattedFieldProps {
  form: UseFormReturn<ComposerValues>;
  uploads: Uploads;
  placeholder: string;
  className: string;
  ref: Ref<MessageWriter | null>;
  /** Called once the text can be edited. */
  onReady: () => void;
}

/** The document of a text; null for Markdown that can't be edited, such as some that programs write. */
function editableDocument(markdown: string): JSONContent | null {
  try {
    return documentOf(markdown);
  } catch {
    return null;
  }
}

/** Looks as mail programs show it. */
const formattedText = [
  'h-auto overflow-y-auto break-words whitespace-pre-wrap',
  '[&>*+*]:mt-3 [&_li>*+*]:mt-1 [&_p]:min-h-lh [&_a]:text-accent-text [&_a]:underline [&_a]:underline-offset-2',
  '[&_ul]:list-disc [&_ul]:pl-6 [&_ol]:list-decimal [&_ol]:pl-6 [&_blockquote]:border-l-2 [&_blockquote]:border-border-secondary [&_blockquote]:pl-3',
  '[&_h1]:text-xl [&_h2]:text-lg [&_:is(h1,h2,h3,h4,h5,h6)]:font-semibold [&_hr]:border-border-secondary',
  '[&_code]:rounded-sm [&_code]:bg-default [&_code]:px-1 [&_code]:font-mono [&_code]:text-label [&_pre]:overflow-x-auto [&_pre]:rounded-md [&_pre]:bg-default [&_pre]:p-2 [&_pre_code]:p-0',
  '[&_img]:inline [&_img]:max-h-80 [&_img]:max-w-full [&_img.ProseMirror-selectednode]:outline-2 [&_img.ProseMirror-selectednode]:outline-accent',
  '[&_:is(td,th)]:border [&_:is(td,th)]:border-border-secondary [&_:is(td,th)]:px-2 [&_:is(td,th)]:py-1 [&_th]:text-left [&_th]:font-semibold',
  '[&_p.is-editor-empty:first-child]:before:pointer-events-none [&_p.is-editor-empty:first-child]:before:float-left [&_p.is-editor-empty:first-child]:before:h-0',
  '[&_p.is-editor-empty:first-child]:before:text-field-placeholder [&_p.is-editor-empty:first-child]:before:content-[attr(data-placeholder)]',
].join(' ');

/** The text of an email with its formats. The form has it as Markdown. */
export function FormattedField(props: FormattedFieldProps) {
  const [initial] = useState(() => editableDocument(props.form.getValues('text')));
  if (initial) return <FormattedEditor {...props} initial={initial} />;
  return (
    <FormTextArea
      control={props.form.control}
      name="text"
      label="Message"
      hideLabel
      description="This text is written in Markdown, and is sent as formatted text."
      rows={6}
      inputClassName={props.className}
    />
  );
}

function FormattedEditor(props: FormattedFieldProps & { initial: JSONContent }) {
  const { form, uploads, placeholder, className, ref, onReady, initial } = props;
  const { field, fieldState } = useController({ control: form.control, name: 'text' });
  const pictures = usePictures(form);
  /** What the form has of the editor, or the editor of the form. */
  const known = useRef(field.value);
  const [extensions] = useState(() => [...extensionsOf(pictures), Placeholder.configure({ placeholder })]);
  const error = fieldMessage('Message', fieldState.error?.message);
  const insertPictures = (files: File[], at?: number): void => {
    if (at !== undefined) editor?.commands.setTextSelection(at);
    uploads.add(files, ({ id, filename }) => {
      if (editor && !editor.isDestroyed)
        editor
          .chain()
          .focus()
          .setImage({ src: pictureReference(id), alt: filename })
          .run();
    });
  };
  const editor: Editor | null = useEditor({
    extensions,
    content: initial,
    immediatelyRender: false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': 'Message',
        ...(error && { 'aria-invalid': 'true' }),
        class: `textarea textarea--primary ${formattedText} ${className}`,
      },
      handlePaste: (_, { clipboardData }) => {
        const files = picturesOf(clipboardData);
        // Office programs add a picture of the text that they copy.
        if (files.length === 0 || clipboardData?.types.includes('text/plain')) return false;
        insertPictures(files);
        return true;
      },
      handleDrop: (view, { dataTransfer, clientX, clientY }, _, isMove) => {
        const files = picturesOf(dataTransfer);
        if (files.length === 0 || isMove) return false;
        insertPictures(files, view.posAtCoords({ left: clientX, top: clientY })?.pos);
        return true;
      },
    },
    onUpdate: ({ editor: changed }) => {
      known.current = markdownOf(changed.getJSON());
      pictures.follow(known.current);
      field.onChange(known.current);
    },
    onBlur: field.onBlur,
  });

  // Another tab or device has changed the draft, or it was deleted. What was rendered may be behind what is typed; the form is not.
  const take = useEffectEvent(() => {
    const text = form.getValues('text');
    if (text === known.current) return;
    known.current = text;
    pictures.begin(text);
    editor?.commands.setContent(editableDocument(text) ?? documentOfText(text), { emitUpdate: false });
  });
  useEffect(() => {
    if (editor && field.value !== known.current) take();
  }, [editor, field.value]);

  const insert = (text: string) => {
    const { content = [] } = documentOfText(text);
    // One paragraph goes on with the line of the cursor.
    editor
      ?.chain()
      .insertContent(content.length > 1 ? content : linesOf(text.trim()))
      .focus()
      .run();
  };
  useImperativeHandle<MessageWriter | null, MessageWriter | null>(
    ref,
    () => editor && { focus: () => void editor.commands.focus(), insert },
  );
  const ready = useEffectEvent(onReady);
  useEffect(() => {
    if (editor) ready();
  }, [editor]);
  return (
    <TextField label="Message" hideLabel error={error} isInvalid={fieldState.invalid}>
      {() => (
        <div>
          {editor && <EditorToolbar editor={editor} onPictures={insertPictures} />}
          <EditorContent editor={editor} />
        </div>
      )}
    </TextField>
  );
}

/** The files of a paste or drop; none if they are not all pictures. */
function picturesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])];
  return files.every(({ type }) => type.startsWith('image/')) ? files : [];
}

/** The attachments that the text of an email shows. */
function usePictures(form: UseFormReturn<ComposerValues>) {
  const identityId = useDraftScope()?.identityId ?? '';
  return useMemo(() => {
    const known = new Map(form.getValues('attachments').map((attachment) => [attachment.id, attachment]));
    let before = pictureIdsIn(form.getValues('text'));
    return {
      urlOf: (id: string) => `/api/mail/attachments/${id}?identity=${identityId}`,
      isAttached: (id: string) => known.has(id) || form.getValues('attachments').some((attachment) => attachment.id === id),
      /** The text is replaced. */
      begin: (markdown: string) => {
        before = pictureIdsIn(markdown);
      },
      /** Removes pictures that are not in the text any more, and brings back those that are again. */
      follow: (markdown: string) => {
        const attachments = form.getValues('attachments');
        for (const attachment of attachments) known.set(attachment.id, attachment);
        const after = pictureIdsIn(markdown);
        const next = followPictures(attachments, { before, after, known });
        before = after;
        if (next.length !== attachments.length || next.some(({ id }, index) => id !== attachments[index]?.id)) {
          form.setValue('attachments', next, { shouldDirty: true });
        }
      },
    };
  }, [form, identityId]);
}
