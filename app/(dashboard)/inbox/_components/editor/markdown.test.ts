import { getSchema, type JSONContent } from '@tiptap/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderMailMarkdown } from '@/server/platform/markdown/mail-markdown';
import { extensionsOf } from './extensions';
import { toFormatted, toPlain } from './formats';
import { documentOf } from './read-markdown';
import { markdownOf } from './write-markdown';

const schema = getSchema(extensionsOf({ urlOf: (id) => `/${id}`, isAttached: () => true }));

/** A document that the editor accepts, and as it would give it back. */
function accepted(document: JSONContent): JSONContent {
  const node = schema.nodeFromJSON(document);
  node.check();
  return node.toJSON();
}

const words = (text: string) => text.split(/[\s\u00a0]+/).filter(Boolean);

/** What Markdown or HTML could take for a sign of theirs. */
const nasty = [
  ...'* ** _ __ ` ``` ~ ~~ [ ] ( ) ! < > <b> </p> <!-- & &amp; \\ | : - --- + = === # 1. [x](y) ![x](y) [^1] |--| :-: " \' 5 word'.split(
    ' ',
  ),
  ...['## ', '2026. ', '10) ', '- ', '> ', '    ', '\t', '[ ] ', '[^1]: ', '[a]: b', 'two words', ' ', '\n', '\n', '\n\n'],
  ...['https://a_b.example/my_page_x', 'ann_b@example.com'],
];
const nastyText = fc.array(fc.constantFrom(...nasty), { minLength: 1, maxLength: 12 }).map((parts) => parts.join(''));

test('a plain text says the same when it is formatted', async () => {
  await fc.assert(
    fc.asyncProperty(nastyText, async (text) => {
      const { text: read } = await renderMailMarkdown(toFormatted(text));
      expect(words(read)).toEqual(words(text));
      expect(words(toPlain(toFormatted(text)))).toEqual(words(text));
    }),
    { numRuns: 200 },
  );
});

const marks = fc
  .subarray(['bold', 'italic', 'strike', 'code'] as const)
  .chain((names) =>
    fc
      .option(fc.constantFrom('https://a_b.example/x_y', 'mailto:ann@example.com', 'tel:+491'))
      .map((href) => [
        ...(href === null ? [] : [{ type: 'link', attrs: { href, title: null } }]),
        ...names.map((type) => ({ type })),
      ]),
  );
const word = fc
  .tuple(fc.constantFrom(...nasty.filter((part) => !/\n/.test(part))), marks)
  .map(([text, own]) => ({ type: 'text', text, marks: own }));
const picture = fc.constant({
  type: 'image',
  attrs: { src: 'attachment:0192f0aa-1111-7111-8111-111111111111', alt: 'A [map]', title: null },
});
const inlines = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: word },
    { weight: 1, arbitrary: fc.constant({ type: 'hardBreak' }) },
    { weight: 1, arbitrary: picture },
  ),
  { maxLength: 6 },
);
const paragraphs = inlines.map((content) => ({ type: 'paragraph', content }));
const { block } = fc.letrec<{ block: JSONContent; item: JSONContent }>((tie) => ({
  item: fc
    .tuple(paragraphs, fc.array(tie('block'), { maxLength: 1 }))
    .map(([first, rest]) => ({ type: 'listItem', content: [first, ...rest] })),
  block: fc.oneof(
    { weight: 5, arbitrary: paragraphs },
    fc.tuple(inlines, fc.integer({ min: 1, max: 6 })).map(([content, level]) => ({ type: 'heading', attrs: { level }, content })),
    fc
      .constantFrom('a\n  b', '```', '')
      .map((text) => ({ type: 'codeBlock', content: text === '' ? [] : [{ type: 'text', text }] })),
    fc.constant({ type: 'horizontalRule' }),
    fc.array(tie('block'), { minLength: 1, maxLength: 2 }).map((content) => ({ type: 'blockquote', content })),
    fc
      .tuple(fc.constantFrom('bulletList', 'orderedList'), fc.array(tie('item'), { minLength: 1, maxLength: 3 }))
      .map(([type, content]) => ({ type, content })),
    fc.array(fc.tuple(paragraphs, paragraphs), { minLength: 1, maxLength: 2 }).map((rows) => ({
      type: 'table',
      content: rows.map((cells, index) => ({
        type: 'tableRow',
        content: cells.map((cell) => ({ type: index === 0 ? 'tableHeader' : 'tableCell', content: [cell] })),
      })),
    })),
  ),
}));
const documents = fc.array(block, { minLength: 1, maxLength: 4 }).map((content) => ({ type: 'doc', content }));

const program = `# Offer *2026*

Hi **Ann**,
see \`x\` and [\`the file\`](https://a.example/b "Title"), ~~old~~ and https://a_b.example/c_d.

1. One
   - Two
   - [x] Three

     More
2. Four

> Quoted
> lines
>
> - item

| Item | Price |
| ---- | ----: |
| A|**5**|
| B |

\`\`\`js
if (a < b) {}
\`\`\`

---

![Map](attachment:0192f0aa-1111-7111-8111-111111111111) <b>typed</b> & [ref][1]

[1]: https://ref.example
`;

test('the Markdown of a program is sent as before once it was edited', async () => {
  const edited = markdownOf(accepted(documentOf(program)));
  const [before, after] = await Promise.all([renderMailMarkdown(program), renderMailMarkdown(edited)]);
  // The editor has no aligned columns.
  expect(after.html).toBe(before.html.replaceAll(' align="right"', ''));
});

const withoutSpaces = (text: string) => text.replaceAll(/[\s\u00a0]+/g, '');

/** What a document says, or the parts of it with a mark. */
function letters({ text = '', marks: own = [], content = [] }: JSONContent, mark?: string): string {
  const isMeant = mark === undefined || own.some(({ type }) => type === mark);
  return withoutSpaces((isMeant ? text : '') + content.map((child) => letters(child, mark)).join(''));
}

const entities: Record<string, string> = { '&#x3C;': '<', '&#x26;': '&', '&quot;': '"' };

function lettersOfHtml(html: string): string {
  return withoutSpaces(html.replaceAll(/<[^>]+>/g, '').replaceAll(/&(#x3C|#x26|quot);/g, (entity) => entities[entity] ?? ''));
}

test('what is edited is kept and sent as it looks', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (document) => {
      const markdown = markdownOf(accepted(document));
      const read = accepted(documentOf(markdown));
      expect(accepted(documentOf(markdownOf(read)))).toEqual(read);
      for (const mark of [undefined, 'bold', 'italic', 'strike', 'code'])
        expect(letters(read, mark)).toBe(letters(document, mark));
      expect(lettersOfHtml((await renderMailMarkdown(markdown)).html)).toBe(letters(document));
    }),
    { numRuns: 200 },
  );
});
