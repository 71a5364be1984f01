import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Markdown in the dashboard's own colours; the tokens change with the theme, so this does not have to. */

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

export const sourceTheme: Extension = [theme, syntaxHighlighting(highlight)];
