import { Toolbar } from '@heroui/react/toolbar';
import { type Editor, useEditorState } from '@tiptap/react';
import { Bold, Image, Italic, Link, List, ListOrdered, type LucideIcon, RemoveFormatting, TextQuote } from 'lucide-react';
import { useRef, useState } from 'react';
import { IconButton } from '@/app/_kit/icon-button';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';

const LinkDialog = onDemandComponent(() => import('./link-dialog').then((module) => module.LinkDialog));

interface Format {
  label: string;
  icon: LucideIcon;
  keys: string;
  isActive: (editor: Editor) => boolean;
  toggle: (editor: Editor) => void;
}

const formats: readonly Format[] = [
  {
    ...{ label: 'Bold', icon: Bold, keys: 'Control+b Meta+b' },
    isActive: (editor) => editor.isActive('bold'),
    toggle: (editor) => editor.chain().focus().toggleBold().run(),
  },
  {
    ...{ label: 'Italic', icon: Italic, keys: 'Control+i Meta+i' },
    isActive: (editor) => editor.isActive('italic'),
    toggle: (editor) => editor.chain().focus().toggleItalic().run(),
  },
  {
    ...{ label: 'Bulleted list', icon: List, keys: 'Control+Shift+8 Meta+Shift+8' },
    isActive: (editor) => editor.isActive('bulletList'),
    toggle: (editor) => editor.chain().focus().toggleBulletList().run(),
  },
  {
    ...{ label: 'Numbered list', icon: ListOrdered, keys: 'Control+Shift+7 Meta+Shift+7' },
    isActive: (editor) => editor.isActive('orderedList'),
    toggle: (editor) => editor.chain().focus().toggleOrderedList().run(),
  },
  {
    ...{ label: 'Quote', icon: TextQuote, keys: 'Control+Shift+b Meta+Shift+b' },
    isActive: (editor) => editor.isActive('blockquote'),
    toggle: (editor) => editor.chain().focus().toggleBlockquote().run(),
  },
];

const pressedClass = 'aria-pressed:bg-default aria-pressed:text-foreground';

interface EditorToolbarProps {
  editor: Editor;
  onPictures: (files: File[]) => void;
}

/** Formats of the selected text. */
export function EditorToolbar({ editor, onPictures }: EditorToolbarProps) {
  const [isLinking, setIsLinking] = useState(false);
  const pictures = useRef<HTMLInputElement>(null);
  const active = useEditorState({
    editor,
    selector: ({ editor: current }) => ({
      formats: formats.map(({ isActive }) => isActive(current)),
      isLink: current.isActive('link'),
    }),
  });
  return (
    <Toolbar aria-label="Format" className="mb-1 flex flex-wrap gap-0.5">
      {formats.map(({ label, icon: Icon, keys, toggle }, index) => (
        <IconButton
          key={label}
          label={label}
          aria-pressed={active.formats[index] ?? false}
          aria-keyshortcuts={keys}
          className={pressedClass}
          onPress={() => toggle(editor)}
        >
          <Icon aria-hidden />
        </IconButton>
      ))}
      <IconButton label="Link" aria-pressed={active.isLink} className={pressedClass} onPress={() => setIsLinking(true)}>
        <Link aria-hidden />
      </IconButton>
      <IconButton label="Insert picture" onPress={() => pictures.current?.click()}>
        <Image aria-hidden />
      </IconButton>
      <IconButton label="Clear formats" onPress={() => editor.chain().focus().unsetAllMarks().clearNodes().run()}>
        <RemoveFormatting aria-hidden />
      </IconButton>
      <input
        ref={pictures}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ target }) => {
          onPictures([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      {isLinking && <LinkDialog editor={editor} onClose={() => setIsLinking(false)} />}
    </Toolbar>
  );
}
