import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';

/** How many frames a menu may take to close: until then it keeps the focus. */
const framesMaximum = 60;

/** Writes a text at the cursor of a form's text area, in place of what is selected. */
export function insertText<Values extends FieldValues>(form: UseFormReturn<Values>, name: FieldPath<Values>, text: string): void {
  const tryToInsert = (framesLeft: number) => {
    form.setFocus(name);
    const area = document.activeElement;
    if (area instanceof HTMLTextAreaElement && area.name === name) write(area, text);
    else if (framesLeft > 0) requestAnimationFrame(() => tryToInsert(framesLeft - 1));
  };
  tryToInsert(framesMaximum);
}

function write(area: HTMLTextAreaElement, text: string): void {
  // The only way that the browser's own undo takes back. It is deprecated, and every browser has it.
  if (document.execCommand('insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new InputEvent('input', { bubbles: true }));
}
