import type { StateCommand } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { Bold, Code, Heading, ImagePlus, Italic, Link, List, ListOrdered, type LucideIcon, Quote, Table } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { cycleHeading, insertLink, insertTable, toggleCode, toggleList, toggleMark, toggleQuote } from './markdown-commands';
import { pictureTypes } from './upload-picture';

interface Tool {
  label: string;
  icon: LucideIcon;
  command: StateCommand;
  /** The letter of its shortcut with ⌘ or Ctrl. */
  key?: string;
}

const tools: readonly Tool[] = [
  { label: 'Heading', icon: Heading, command: cycleHeading },
  { label: 'Bold', icon: Bold, command: toggleMark('**'), key: 'B' },
  { label: 'Italic', icon: Italic, command: toggleMark('*'), key: 'I' },
  { label: 'Link', icon: Link, command: insertLink, key: 'K' },
  { label: 'List', icon: List, command: toggleList('bullet') },
  { label: 'Numbered list', icon: ListOrdered, command: toggleList('number') },
  { label: 'Quote', icon: Quote, command: toggleQuote },
  { label: 'Code', icon: Code, command: toggleCode },
  { label: 'Table', icon: Table, command: insertTable },
];

const modifier = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl+');

interface SourceToolbarProps {
  view: EditorView | null;
  onPictures: (files: readonly File[]) => void;
}

/** A toolbar of Markdown commands. It is one tab stop; arrow keys move within it. */
export function SourceToolbar({ view, onPictures }: SourceToolbarProps) {
  const [current, setCurrent] = useState(0);
  const chooser = useRef<HTMLInputElement>(null);

  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const targets: Record<string, number> = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: -1 };
    const target = targets[event.key];
    if (target === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    buttons.at(target % buttons.length)?.focus();
  };
  const run = (command: StateCommand) => {
    if (!view) return;
    command(view);
    view.focus();
  };

  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      onKeyDown={walk}
      className="-mx-1.5 flex items-center gap-0.5 overflow-x-auto max-sm:gap-0 px-px py-1 [scrollbar-width:none]"
    >
      {tools.map(({ label, icon, command, key }, index) => (
        <ToolButton
          key={label}
          label={label}
          title={key ? `${label} (${modifier()}${key})` : label}
          icon={icon}
          isReachable={index === current}
          onFocus={() => setCurrent(index)}
          onClick={() => run(command)}
        />
      ))}
      <ToolButton
        label="Image"
        title="Image: choose one, or drop or paste it into the text"
        icon={ImagePlus}
        isReachable={current === tools.length}
        onFocus={() => setCurrent(tools.length)}
        onClick={() => chooser.current?.click()}
      />
      <input
        ref={chooser}
        type="file"
        multiple
        accept={pictureTypes}
        hidden
        aria-label="Images to add"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // Allows the same file to be chosen again.
          event.target.value = '';
          if (files.length > 0) onPictures(files);
        }}
      />
    </div>
  );
}

interface ToolButtonProps {
  label: string;
  title: string;
  icon: LucideIcon;
  isReachable: boolean;
  onFocus: () => void;
  onClick: () => void;
}

function ToolButton({ label, title, icon: Icon, isReachable, onFocus, onClick }: ToolButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={title}
      tabIndex={isReachable ? 0 : -1}
      onFocus={onFocus}
      // Keeps the caret in the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted -outline-offset-2 hover:bg-default hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus max-lg:size-10 max-sm:w-9"
    >
      <Icon aria-hidden className="size-4" strokeWidth={1.75} />
    </button>
  );
}
