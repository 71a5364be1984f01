import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, type KeyBinding, keymap, placeholder, WidgetType } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useCallback, useEffect, useRef, useState } from 'react';
import { toast } from '@/app/_kit/toast';
import { AltTextDialog, useAltTextQuestion } from './alt-text-dialog';
import { blockChange, imageMarkdown, insertLink, toggleMark } from './markdown-commands';
import type { PostSession } from './post-session';
import { SourceToolbar } from './source-toolbar';
import { useUploadPicture } from './upload-picture';
import { usePostView } from './use-post-session';

/** Markdown in the dashboard's colours. The tokens change with the theme, so this does not need to. */

const theme = EditorView.theme({
  '&': { color: 'var(--foreground)', backgroundColor: 'transparent', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.75', overflow: 'visible' },
  '.cm-content': { padding: '0 0 40vh', caretColor: 'var(--accent-text)' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-upload': {
    margin: '0.25rem 0',
    padding: '0.25rem 0.625rem',
    border: '1px dashed var(--border-secondary)',
    borderRadius: '6px',
    color: 'var(--muted)',
    fontFamily: 'var(--font-sans)',
    fontSize: '0.8125rem',
  },
});

const highlight = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.monospace, color: 'var(--info-text)' },
  { tag: tags.link, color: 'var(--accent-text)' },
  { tag: tags.quote, color: 'var(--muted)' },
  {
    tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName, tags.meta, tags.url],
    color: 'var(--muted)',
    fontWeight: '400',
  },
  { tag: [tags.tagName, tags.angleBracket, tags.attributeName, tags.comment], color: 'var(--muted)' },
]);

const sourceTheme: Extension = [theme, syntaxHighlighting(highlight)];

const shortcuts: readonly KeyBinding[] = [
  { key: 'Mod-b', run: toggleMark('**'), stopPropagation: true },
  { key: 'Mod-i', run: toggleMark('*'), stopPropagation: true },
  { key: 'Mod-k', run: insertLink, stopPropagation: true },
];

/** The heights that overlap the text at the ends of the window: the toolbar, and on a phone the frame's bars as well. */
function marginsOf(): { top: number; bottom: number } {
  return window.innerWidth < 1024 ? { top: 120, bottom: 88 } : { top: 64, bottom: 24 };
}

/** Tab is left to the browser, so that the keyboard focus can leave the text. */
const fixedExtensions: Extension = [
  keymap.of([...shortcuts, ...historyKeymap, ...defaultKeymap]),
  history(),
  markdown({ base: markdownLanguage, completeHTMLTags: false }),
  EditorView.lineWrapping,
  EditorView.scrollMargins.of(marginsOf),
  placeholder('Start writing… Markdown and images are supported.'),
  sourceTheme,
];

/** The smallest change that turns one text into another, so that caret and undo history stay. */
function difference(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

interface SourceEditorProps {
  session: PostSession;
  /** Id of the element that describes the text, such as its error. */
  describedBy: string;
  onView: (view: EditorView | null) => void;
  isReadOnly: boolean;
}

/** The Markdown source of a post. Loaded on demand: see post-editor.tsx. */
export function SourceEditor({ session, describedBy, onView, isReadOnly }: SourceEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<EditorView | null>(null);
  const generation = usePostView(session, (current) => current.generation);
  const isWrong = usePostView(session, (current) => current.fieldErrors.content !== undefined);
  const store = useUploadPicture();
  const { question, ask } = useAltTextQuestion();
  const upload = useCallback(
    async (file: File) => {
      try {
        // Without the server's address, which may change.
        const { pathname } = new URL(await store(file));
        const altText = await ask(pathname);
        return altText === null ? null : imageMarkdown(altText, pathname);
      } catch (error) {
        toast.error(`Couldn’t add “${file.name}”. ${(error as Error).message}`);
        return null;
      }
    },
    [store, ask],
  );
  const latestUpload = useRef(upload);
  useEffect(() => {
    latestUpload.current = upload;
  }, [upload]);

  useEffect(() => {
    if (!host.current) return;
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: session.view().values.content,
        extensions: [
          fixedExtensions,
          isReadOnly
            ? [EditorState.readOnly.of(true), EditorView.editable.of(false)]
            : pictureUploads(() => ({ upload: latestUpload.current })),
          EditorView.contentAttributes.of({
            'aria-label': 'Text (Markdown)',
            'aria-describedby': describedBy,
            spellcheck: 'true',
            autocorrect: 'on',
            autocapitalize: 'sentences',
          }),
          EditorView.domEventHandlers({ blur: () => session.saveSoon() }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) session.change({ content: update.state.doc.toString() });
          }),
        ],
      }),
    });
    setView(created);
    onView(created);
    return () => {
      onView(null);
      setView(null);
      created.destroy();
    };
  }, [session, describedBy, onView, isReadOnly]);

  useEffect(() => {
    // Generation 0 is what the view was created with.
    if (!view || generation === 0) return;
    const changes = difference(view.state.doc.toString(), session.view().values.content);
    if (changes) view.dispatch({ changes });
  }, [view, session, generation]);

  useEffect(() => {
    if (isWrong) view?.contentDOM.setAttribute('aria-invalid', 'true');
    else view?.contentDOM.removeAttribute('aria-invalid');
  }, [view, isWrong]);

  return (
    <>
      <div className="sticky top-14 z-10 -mx-2 mb-4 border-b border-separator bg-background px-2 lg:top-0">
        <SourceToolbar
          view={view}
          onPictures={(files) => {
            if (view) void uploadInto(view, files, view.state.selection.main.to, { upload });
          }}
        />
      </div>
      <div ref={host} className="text-base sm:text-[0.9375rem]" />
      {question && <AltTextDialog key={question.url} {...question} />}
    </>
  );
}

/**
 * Pending uploads of pictures in a text. A placeholder widget marks the position of each: it is not part of the text, so that
 * it is neither saved nor undone, and moves with the text around it.
 */

interface Upload {
  id: number;
  name: string;
}

const begin = StateEffect.define<Upload & { position: number }>({
  map: (upload, changes) => ({ ...upload, position: changes.mapPos(upload.position, 1) }),
});
const end = StateEffect.define<number>();

class UploadNote extends WidgetType {
  constructor(readonly upload: Upload) {
    super();
  }

  override eq(other: UploadNote): boolean {
    return other.upload.id === this.upload.id;
  }

  override toDOM(): HTMLElement {
    const note = document.createElement('div');
    note.className = 'cm-upload';
    note.setAttribute('role', 'status');
    note.textContent = `Uploading ${this.upload.name}…`;
    return note;
  }
}

const notes = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(current, transaction) {
    let next = current.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(begin)) {
        // After the text of its line, in the order in which they were chosen.
        const widget = Decoration.widget({ widget: new UploadNote(effect.value), side: effect.value.id, block: true });
        next = next.update({ add: [widget.range(effect.value.position)] });
      } else if (effect.is(end)) {
        next = next.update({ filter: (_from, _to, { spec }) => spec.widget.upload.id !== effect.value });
      }
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function positionOf(view: EditorView, id: number): number | null {
  for (const cursor = view.state.field(notes).iter(); cursor.value; cursor.next()) {
    if (cursor.value.spec.widget.upload.id === id) return cursor.from;
  }
  return null;
}

let uploads = 0;

interface UploadOptions {
  /** Stores a picture and resolves to its Markdown; to null if it can't be stored, which is reported, or is not wanted. */
  upload: (file: File) => Promise<string | null>;
}

/** Uploads pictures in sequence, and inserts each at its placeholder; every one is one step to undo. */
async function uploadInto(view: EditorView, files: readonly File[], at: number, { upload }: UploadOptions): Promise<void> {
  const queued = files.map((file) => ({ id: ++uploads, file }));
  const position = view.state.doc.lineAt(at).to;
  view.dispatch({ effects: queued.map(({ id, file }) => begin.of({ id, name: file.name, position })) });
  for (const { id, file } of queued) {
    const inserted = await upload(file);
    const where = positionOf(view, id);
    if (inserted === null || where === null) {
      view.dispatch({ effects: end.of(id) });
      continue;
    }
    const { changes } = blockChange(view.state, where, inserted);
    view.dispatch({ changes, effects: end.of(id), userEvent: 'input.paste' });
  }
}

const picturesOf = (data: DataTransfer | null) => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

/** Uploads pictures that are dropped or pasted. @param options read at that time */
function pictureUploads(options: () => UploadOptions): Extension {
  const take = (view: EditorView, event: Event, data: DataTransfer | null, at: number) => {
    const files = picturesOf(data);
    if (files.length === 0) return false;
    event.preventDefault();
    void uploadInto(view, files, at, options());
    return true;
  };
  return [
    notes,
    EditorView.domEventHandlers({
      drop: (event, view) =>
        take(view, event, event.dataTransfer, view.posAtCoords({ x: event.clientX, y: event.clientY }, false)),
      // A text processor adds a picture of copied text; then the text is meant.
      paste: (event, view) =>
        event.clipboardData?.types.includes('text/plain')
          ? false
          : take(view, event, event.clipboardData, view.state.selection.main.to),
    }),
  ];
}
