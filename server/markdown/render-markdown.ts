import rehypeRaw from 'rehype-raw';
import rehypeSanitize from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { rehypeAddresses } from './addresses';
import { finishElements } from './elements';
import { finishHeadings } from './headings';
import { highlightCode } from './highlight';
import { MarkdownTooLargeError, maximumOutput, maximumSource, rehypeOutputLimit, remarkExpansionLimit } from './limits';
import { postText } from './post-text';
import type { RenderedMarkdown } from './rendered-markdown';
import { sanitizeSchema } from './sanitize-schema';
import { countWords } from './word-count';

export type { RenderedMarkdown } from './rendered-markdown';

/** Markdown to a tree without anything of the author's that could do harm. What is added to it afterwards is ours. */
const parser = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkExpansionLimit)
  .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '' })
  .use(rehypeRaw)
  .use(rehypeAddresses)
  .use(rehypeSanitize, sanitizeSchema)
  .use(rehypeOutputLimit)
  .freeze();

const serialiser = unified().use(rehypeStringify).freeze();

/**
 * Renders a post's Markdown (CommonMark with GitHub's extensions and HTML) for a page: sanitised, without inline style, code coloured
 * by the classes of `highlightCss`, headings from h2 down with ids that start with `md-`.
 *
 * Takes as long as its input makes it take: on a server call `renderInWorker`, which sets a limit.
 *
 * @throws MarkdownTooLargeError for a source or a result beyond the limits
 */
export async function renderMarkdown(markdown: string): Promise<RenderedMarkdown> {
  if (markdown.length > maximumSource) throw new MarkdownTooLargeError('The source is too large.');
  const tree = await parser.run(parser.parse(markdown));
  const text = postText(tree);
  const headings = finishHeadings(tree);
  const images = finishElements(tree);
  await highlightCode(tree);
  const html = serialiser.stringify(tree);
  if (html.length > 2 * maximumOutput) throw new MarkdownTooLargeError('The result is too large.');
  return { html, headings, images, text, wordCount: countWords(text) };
}
