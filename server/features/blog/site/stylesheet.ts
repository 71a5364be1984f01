import { articleStyle } from './article-style';
import { frameStyle, printStyle } from './frame-style';

/** Takes away what only people need. Safe for the rules of this folder: none has a string or selector that such a space is part of. */
function compact(css: string): string {
  return css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replace(/;}/g, '}')
    .trim();
}

const own = compact(frameStyle + articleStyle);
const print = compact(printStyle);

/**
 * Everything the pages of the public blog look like, for one `<style>` element.
 *
 * @param highlightCss rules for the classes of highlighted code; used as they are
 */
export function siteStylesheet(highlightCss: string): string {
  return own + highlightCss.trim() + print;
}
