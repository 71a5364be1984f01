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

/** Parses Markdown to a sanitised tree. Later additions are trusted. */
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
 * Renders a post's Markdown (CommonMark with GitHub's extensions and HTML) for a page: sanitised, without inline style, code
 * with the classes of `highlightCss`, headings from h2 with ids that start with `md-`.
 * Has no time limit: on a server use `renderPool().markdown`, which has one.
 * @param language BCP 47; the language of labels for screen readers
 * @throws MarkdownTooLargeError for a source or result beyond the limits
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
