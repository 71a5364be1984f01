import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { blockChange, imageMarkdown } from './markdown-commands';

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
  /** Stores a picture and resolves to its URL; rejects after reporting the reason. */
  upload: (file: File) => Promise<string>;
}

/** Uploads pictures in sequence, and inserts each at its placeholder; every one is one step to undo. */
export async function uploadInto(view: EditorView, files: readonly File[], at: number, { upload }: UploadOptions): Promise<void> {
  const queued = files.map((file) => ({ id: ++uploads, file }));
  const position = view.state.doc.lineAt(at).to;
  view.dispatch({ effects: queued.map(({ id, file }) => begin.of({ id, name: file.name, position })) });
  for (const { id, file } of queued) {
    const url = await upload(file).catch(() => null);
    const where = positionOf(view, id);
    if (url === null || where === null) {
      view.dispatch({ effects: end.of(id) });
      continue;
    }
    const { changes } = blockChange(view.state, where, imageMarkdown(file.name, url));
    view.dispatch({ changes, effects: end.of(id), userEvent: 'input.paste' });
  }
}

const picturesOf = (data: DataTransfer | null) => [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));

/** Uploads pictures that are dropped or pasted. @param options read at that time */
export function pictureUploads(options: () => UploadOptions): Extension {
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
