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

const own = compact(frameStyle + articleStyle);
const print = compact(printStyle);

/**
 * The complete stylesheet of the public blog, for one `<style>` element.
 *
 * @param highlightCss rules for the classes of highlighted code; inserted unchanged
 */
export function siteStylesheet(highlightCss: string): string {
  return own + highlightCss.trim() + print;
}
