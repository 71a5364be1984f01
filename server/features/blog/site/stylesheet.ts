import { highlightCss } from '@/server/platform/markdown/highlight-style';
import { articleStyle } from './article-style';
import { frameStyle, printStyle } from './frame-style';

/** Removes whitespace and comments. Safe for the styles of this folder: no string or selector contains such a space. */
function compact(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim();
}

/** The stylesheet of every page of the public blog, for one `<style>` element whose hash is in the content security policy. */
export const blogStylesheet = compact(frameStyle + articleStyle) + highlightCss + compact(printStyle);
