import { toString as textOf } from 'hast-util-to-string';
import { createHighlighterCore, type GrammarState, type HighlighterCore, type ThemeRegistration } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguages } from 'shiki/langs';
import { visit } from 'unist-util-visit';
import { tokenStyles } from './highlight-style';
import type { Element, Root } from './tree';

/** Code beyond these stays as it is, in UTF-16 units: a block, all blocks of a post, and a line. */
const maximumBlock = 100_000;
const maximumPost = 400_000;
const maximumLine = 2_000;
/** Languages a post may bring; and those a thread keeps loaded before it starts anew. */
const languagesPerPost = 24;
const languagesPerThread = 48;
/**
 * Colouring is the part of a post that can be left out, so it stops long before the time for the whole is up, in milliseconds. The
 * clock is looked at every so many lines; shiki's own limit for a line would spoil the first line of every language, for which all
 * of a grammar's expressions are compiled.
 */
const timeForAll = 1_500;
const linesAtOnce = 40;

/** shiki knows colours only, so each kind of token has one that stands for it. */
const kinds = Object.keys(tokenStyles);
const colourOf = (place: number) => `#00000${(place + 1).toString(16).toUpperCase()}`;
const classOfColour = new Map(kinds.map((kind, place) => [colourOf(place), `tok-${kind}`]));

/** Code inside a string, and between the marks of one language inside another, is no string. */
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

/** The thread's highlighter; replaced where it holds more grammars than are worth keeping. */
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

/** The code in pieces of one kind; what is left when the time is up is one plain piece. */
function tokenise(shiki: HighlighterCore, code: string, lang: KnownLanguage, end: number) {
  const pieces: { text: string; className?: string | undefined }[] = [];
  const add = (text: string, className?: string) => {
    const last = pieces.at(-1);
    // Neighbours of one kind, and the space between them, are one element.
    if (last && (last.className === className || (last.className && /^\s*$/.test(text)))) last.text += text;
    else pieces.push({ text, className });
  };
  const lines = code.split('\n');
  let grammarState: GrammarState | undefined;
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    if (start > 0) add('\n');
    if (performance.now() > end) {
      add(lines.slice(start).join('\n'));
      break;
    }
    const tokens = shiki.codeToTokensBase(lines.slice(start, start + linesAtOnce).join('\n'), {
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

/** Colours the code blocks of a sanitised tree with classes. What is too large, too slow or in an unknown language stays plain. */
export async function highlightCode(tree: Root): Promise<void> {
  const blocks = codeBlocks(tree);
  if (blocks.length === 0) return;
  const shiki = await highlighter();
  const end = performance.now() + timeForAll;
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
      // A grammar that can't be had, or that one block defeats, is no reason to lose the post.
    }
  }
}
