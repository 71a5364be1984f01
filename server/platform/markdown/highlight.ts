import { toString as textOf } from 'hast-util-to-string';
import { createHighlighterCore, type GrammarState, type HighlighterCore, type ThemeRegistration } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages } from 'shiki/langs';
import { visit } from 'unist-util-visit';
import { tokenStyles } from './highlight-style';
import type { Element, Root } from './tree';

/** Code above these limits is not highlighted, in UTF-16 units: per block, all blocks of a post, per line. */
const maximumBlock = 100_000;
const maximumPost = 400_000;
const maximumLine = 2_000;
/** Maximum languages per post, and those a thread keeps loaded before it resets. */
const languagesPerPost = 24;
const languagesPerThread = 48;
/**
 * Highlighting is optional, so it stops long before the rendering timeout, in milliseconds. The clock is checked every few
 * lines; shiki's own limit per line would fail on the first line of every language, which compiles the grammar.
 */
const highlightTimeout = 1_500;
const linesPerCheck = 40;

/** shiki only supports colours, so each kind of token is represented by one. */
const kinds = Object.keys(tokenStyles);
const colourOf = (place: number) => `#00000${(place + 1).toString(16).toUpperCase()}`;
const classOfColour = new Map(kinds.map((kind, place) => [colourOf(place), `tok-${kind}`]));

/** Embedded code inside a string is not a string. */
const plainScopes = ['meta.template.expression', 'meta.interpolation', 'meta.embedded', 'markup.fenced_code meta.embedded.block'];

const theme: ThemeRegistration = {
  name: 'classes',
  type: 'light',
  fg: '#FFFFFF',
  bg: '#FFFFFE',
  settings: [
    ...kinds.map((kind, place) => ({ scope: tokenStyles[kind]?.scopes, settings: { foreground: colourOf(place) } })),
    { scope: plainScopes, settings: { foreground: '#FFFFFF' } },
  ],
};

let loaded: Promise<HighlighterCore> | undefined;

/** The thread's highlighter; replaced when it holds too many grammars. */
async function highlighter(): Promise<HighlighterCore> {
  const current = await loaded;
  if (current && current.getLoadedLanguages().length <= languagesPerThread) return current;
  current?.dispose();
  loaded = createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
  return loaded;
}

type KnownLanguage = keyof typeof bundledLanguages;

function languageOf(code: Element): KnownLanguage | null {
  const { className } = code.properties;
  const name = Array.isArray(className) ? String(className[0] ?? '').replace(/^language-/, '') : '';
  const language = name.toLowerCase();
  return Object.hasOwn(bundledLanguages, language) ? (language as KnownLanguage) : null;
}

/** Splits code into tokens; after the timeout, the rest is one plain token. */
function tokenise(shiki: HighlighterCore, code: string, lang: KnownLanguage, end: number) {
  const pieces: { text: string; className?: string | undefined }[] = [];
  const add = (text: string, className?: string) => {
    const last = pieces.at(-1);
    // Merge neighbours of one kind, including white space between them.
    if (last && (last.className === className || (last.className && /^\s*$/.test(text)))) last.text += text;
    else pieces.push({ text, className });
  };
  const lines = code.split('\n');
  let grammarState: GrammarState | undefined;
  for (let start = 0; start < lines.length; start += linesPerCheck) {
    if (start > 0) add('\n');
    if (performance.now() > end) {
      add(lines.slice(start).join('\n'));
      break;
    }
    const tokens = shiki.codeToTokensBase(lines.slice(start, start + linesPerCheck).join('\n'), {
      lang,
      theme: 'classes',
      tokenizeMaxLineLength: maximumLine,
      tokenizeTimeLimit: 0,
      ...(grammarState ? { grammarState } : {}),
    });
    grammarState = shiki.getLastGrammarState(tokens);
    for (const [number, line] of tokens.entries()) {
      if (number > 0) add('\n');
      for (const { content, color } of line) add(content, classOfColour.get((color ?? '').toUpperCase()));
    }
  }
  return pieces;
}

function coloured(pieces: ReturnType<typeof tokenise>): Element['children'] {
  return pieces.map(({ text, className }) => {
    const value = { type: 'text' as const, value: text };
    if (!className) return value;
    return { type: 'element', tagName: 'span', properties: { className: [className] }, children: [value] };
  });
}

function codeBlocks(tree: Root): { code: Element; language: KnownLanguage }[] {
  const blocks: { code: Element; language: KnownLanguage }[] = [];
  visit(tree, 'element', (element, _, parent) => {
    if (element.tagName !== 'code' || parent?.type !== 'element' || parent.tagName !== 'pre') return;
    const language = element.children.every(({ type }) => type === 'text') && languageOf(element);
    if (language) blocks.push({ code: element, language });
  });
  return blocks;
}

/**
 * Highlights the code blocks of a sanitised tree with classes. Code that is too large, too slow or in an unknown language stays
 * plain.
 */
export async function highlightCode(tree: Root): Promise<void> {
  const blocks = codeBlocks(tree);
  if (blocks.length === 0) return;
  const shiki = await highlighter();
  const end = performance.now() + highlightTimeout;
  const languages = new Set<KnownLanguage>();
  let length = 0;
  for (const { code, language } of blocks) {
    const text = textOf(code);
    if (text.length > maximumBlock || length + text.length > maximumPost || performance.now() > end) continue;
    if (!languages.has(language) && languages.size >= languagesPerPost) continue;
    languages.add(language);
    length += text.length;
    try {
      await shiki.loadLanguage(bundledLanguages[language]);
      code.children = coloured(tokenise(shiki, text, language, end));
    } catch {
      // A missing grammar, or one that fails on a block, must not lose the post.
    }
  }
}
