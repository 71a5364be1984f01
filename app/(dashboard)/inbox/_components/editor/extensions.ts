import { Extension } from '@tiptap/core';
import { Code } from '@tiptap/extension-code';
import { Image } from '@tiptap/extension-image';
import { TableKit } from '@tiptap/extension-table';
import { StarterKit } from '@tiptap/starter-kit';
import { pictureId } from './pictures';

interface PictureOptions {
  /** The URL of an attachment on this installation. */
  urlOf: (attachmentId: string) => string;
  /** Whether the email has, or had, this attachment. */
  isAttached: (attachmentId: string) => boolean;
}

/** What a document of the editor can have: what Markdown has, and `renderMailMarkdown` sends. */
export const extensionsOf = ({ urlOf, isAttached }: PictureOptions) => [
  StarterKit.configure({
    // Markdown has no underline, and code with other marks.
    underline: false,
    code: false,
    link: { openOnClick: false, defaultProtocol: 'https', HTMLAttributes: { target: null, rel: null } },
  }),
  Code.extend({ excludes: '' }),
  TableKit.configure({ table: { resizable: false } }),
  Image.extend({
    renderHTML({ HTMLAttributes: { src, alt } }) {
      const id = pictureId(src);
      // One from elsewhere, in the draft of a program, is shown by its description: its server would learn that the draft was opened.
      return ['img', { src: id === null ? null : urlOf(id), alt, 'data-picture': src }];
    },
    // What is pasted has no pictures but those of this email: others would be fetched from elsewhere.
    parseHTML: () => [
      {
        tag: 'img[data-picture]',
        getAttrs: (image) => {
          const id = pictureId(image.dataset.picture);
          return id !== null && isAttached(id) && { src: image.dataset.picture, alt: image.getAttribute('alt') };
        },
      },
    ],
  }).configure({ inline: true }),
  Extension.create({
    name: 'sending',
    // Before the line break that these keys write elsewhere.
    priority: 1_000,
    addKeyboardShortcuts: () => ({
      'Mod-Enter': ({ editor }) => {
        editor.view.dom.closest('form')?.requestSubmit();
        return true;
      },
    }),
  }),
];
