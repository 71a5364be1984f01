import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';

interface ChipInputOptions {
  chipCount: number;
  /** Adds typed or pasted values, one or several. @returns announcements for screen readers */
  onAdd: (text: string) => readonly string[];
  /** @returns an announcement for screen readers */
  onRemove: (index: number) => string;
  onBlur: () => void;
  /** True while a comma is part of the typed value, as in `"Hill, Ann" <ann@…`. */
  isQuoting?: (text: string) => boolean;
}

/**
 * The input of a chip field: Enter, a comma or leaving the field adds the typed value, a pasted list becomes several, Backspace
 * in the empty field removes the last chip. Render `announcement` in a `role="status"`.
 */
export function useChipInput({ chipCount, onAdd, onRemove, onBlur, isQuoting = () => false }: ChipInputOptions) {
  const input = useRef<HTMLInputElement | null>(null);
  const [text, setText] = useState('');
  const [announcement, setAnnouncement] = useState('');

  const add = (typed: string) => {
    setText('');
    const added = onAdd(typed);
    if (added.length > 0) setAnnouncement(`Added ${added.join(', ')}`);
  };
  const removeAt = (index: number) => {
    setAnnouncement(`Removed ${onRemove(index)}`);
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      // Ctrl+Enter submits the form, including the typed value.
      if (!event.ctrlKey && !event.metaKey) event.preventDefault();
      add(text);
    } else if ((event.key === ',' || event.key === ';') && !isQuoting(text)) {
      event.preventDefault();
      add(text);
    } else if (event.key === 'Backspace' && text === '' && chipCount > 0) {
      removeAt(chipCount - 1);
    }
  };
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text');
    if (!/[,;\n\r\t]/.test(pasted)) return;
    event.preventDefault();
    add(`${text}${pasted}`);
  };

  return {
    input,
    text,
    setText,
    /** Adds values other than by typing. */
    add,
    announcement,
    removeAt,
    /** Props of the input itself. */
    inputProps: {
      value: text,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      onChange: (event: { target: HTMLInputElement }) => setText(event.target.value),
      onKeyDown,
      onPaste,
      onBlur: () => {
        const leave = () => {
          add(text);
          onBlur();
        };
        // While something is pressed, nothing moves: one more chip could push it away from under the pointer, and the click is lost.
        if (!document.querySelector(':active')) return leave();
        // A drag ends without the first one.
        const released = new AbortController();
        for (const type of ['mouseup', 'pointercancel', 'dragend']) {
          const end = () => {
            released.abort();
            leave();
          };
          document.addEventListener(type, end, { capture: true, signal: released.signal });
        }
      },
    },
    /** Props of the box around chips and input, which is larger than the input: a click anywhere in it focuses the input. */
    onPointerDown: (event: { target: EventTarget; currentTarget: EventTarget; preventDefault: () => void }) => {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      input.current?.focus();
    },
  };
}
