import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';

interface ChipInputOptions {
  chipCount: number;
  /** Takes what was typed or pasted, one or several. @returns what has become of it, as it is to be announced */
  onAdd: (text: string) => readonly string[];
  /** @returns what was removed, as it is to be announced */
  onRemove: (index: number) => string;
  onBlur: () => void;
  /** True while a comma belongs to what is being typed, as in `"Hill, Ann" <ann@…`. */
  isQuoting?: (text: string) => boolean;
}

/**
 * What the input of a field of chips does: Enter, a comma or leaving the field adds what is typed, a pasted list becomes several,
 * Backspace in the empty field removes the last chip. `announcement` belongs into a `role="status"`.
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
      // Ctrl+Enter sends the form, together with what is typed here.
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
    setText,
    announcement,
    removeAt,
    /** For the input itself. */
    inputProps: {
      value: text,
      autoComplete: 'off',
      autoCapitalize: 'none',
      spellCheck: false,
      onChange: (event: { target: HTMLInputElement }) => setText(event.target.value),
      onKeyDown,
      onPaste,
      onBlur: () => {
        add(text);
        onBlur();
      },
    },
    /** For the box around chips and input, which is bigger than the text in it: a click anywhere in it is meant for the text. */
    onPointerDown: (event: { target: EventTarget; currentTarget: EventTarget; preventDefault: () => void }) => {
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      input.current?.focus();
    },
  };
}
