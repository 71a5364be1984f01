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
import { type ArticleLabels, articleLabels, labelLanguage, labelLanguages } from './labels';
import { MarkdownTooLargeError, maximumOutput, maximumSource, rehypeOutputLimit, remarkExpansionLimit } from './limits';
import { postText } from './post-text';
import type { RenderedMarkdown } from './rendered-markdown';
import { sanitizeSchema } from './sanitize-schema';
import { rehypeUnclosed } from './unclosed-elements';
import { countWords } from './word-count';

export type { RenderedMarkdown } from './rendered-markdown';

/** Markdown to a tree without anything of the author's that could do harm. What is added to it afterwards is ours. */
function makeParser({ footnotes, back }: ArticleLabels) {
  const footnoteBackLabel = (index: number, again: number) => {
    return back.replace('{n}', again > 1 ? `${index + 1}-${again}` : String(index + 1));
  };
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkExpansionLimit)
    .use(remarkRehype, { allowDangerousHtml: true, clobberPrefix: '', footnoteLabel: footnotes, footnoteBackLabel })
    .use(rehypeUnclosed)
    .use(rehypeRaw)
    .use(rehypeAddresses)
    .use(rehypeSanitize, sanitizeSchema)
    .use(rehypeOutputLimit)
    .freeze();
}

const parsers = new Map(labelLanguages.map((language) => [language, makeParser(articleLabels(language))]));

const serialiser = unified().use(rehypeStringify).freeze();

/**
 * Renders a post's Markdown (CommonMark with GitHub's extensions and HTML) for a page: sanitised, without inline style, code coloured
 * by the classes of `highlightCss`, headings from h2 down with ids that start with `md-`.
 *
 * Takes as long as its input makes it take: on a server call `renderPool().markdown`, which sets a limit.
 *
 * @param language BCP 47; what the renderer adds for screen readers is in it
 * @throws MarkdownTooLargeError for a source or a result beyond the limits
 */
export async function renderMarkdown(markdown: string, language = 'en'): Promise<RenderedMarkdown> {
  if (markdown.length > maximumSource) throw new MarkdownTooLargeError('The source is too large.');
  const labels = articleLabels(language);
  const parser = parsers.get(labelLanguage(language)) ?? makeParser(labels);
  const tree = await parser.run(parser.parse(markdown));
  const text = postText(tree);
  const headings = finishHeadings(tree, labels.link);
  const images = finishElements(tree, labels);
  await highlightCode(tree);
  const html = serialiser.stringify(tree);
  if (html.length > 2 * maximumOutput) throw new MarkdownTooLargeError('The result is too large.');
  return { html, headings, images, text, wordCount: countWords(text) };
}
