/** What a menu can do with the text of an email. */
export interface MessageWriter {
  focus: () => void;
  /** Writes a text at the cursor, in place of what is selected. */
  insert: (text: string) => void;
}
