import { visit } from 'unist-util-visit';
import { isExternal } from './addresses';
import type { ArticleLabels } from './labels';
import { visibleText } from './post-text';
import { type Element, type Root, stringProperty } from './tree';

function elementChildren(element: Element): Element[] {
  return element.children.filter((child) => child.type === 'element');
}

function finishLink(link: Element): void {
  const { dataFootnoteRef, dataFootnoteBackref, ariaDescribedBy, ...properties } = link.properties;
  const isReference = dataFootnoteRef !== undefined;
  link.properties = {
    ...properties,
    ...(isReference ? { className: ['footnote-ref'], ariaDescribedBy } : {}),
    ...(dataFootnoteBackref === undefined ? {} : { className: ['footnote-backref'] }),
    ...(isExternal(stringProperty(link, 'href')) ? { rel: ['noopener'] } : {}),
  };
}

/** An empty header cell becomes a plain cell. */
function finishHeaderCells(row: Element, isHead: boolean): void {
  const cells = elementChildren(row);
  const isHeadRow = isHead || cells.every(({ tagName }) => tagName === 'th');
  for (const cell of cells) {
    if (cell.tagName !== 'th') continue;
    if (visibleText(cell) || elementChildren(cell).length > 0) cell.properties.scope ??= isHeadRow ? 'col' : 'row';
    else {
      cell.tagName = 'td';
      delete cell.properties.scope;
      delete cell.properties.abbr;
    }
  }
}

/** A wide table scrolls on its own, and must be scrollable by keyboard. Each region needs a distinct name. */
function scrollable(table: Element, name: string): Element {
  return {
    type: 'element',
    tagName: 'div',
    properties: { className: ['table'], role: 'region', tabIndex: 0, ariaLabel: name },
    children: [table],
  };
}

/**
 * Post-processes a sanitised tree: links, tables, pictures, checkboxes, code blocks.
 * @param labels of tables and checkboxes
 * @returns the addresses of the pictures; a picture's marker is its index in it
 */
export function finishElements(tree: Root, labels: Pick<ArticleLabels, 'table' | 'done' | 'notDone'>): string[] {
  const images = new Map<string, number>();
  let tables = 0;
  visit(tree, 'element', (element, index, parent) => {
    if (index === undefined || !parent) return;
    const { tagName, properties } = element;
    if (tagName === 'a') finishLink(element);
    else if (tagName === 'section') delete properties.dataFootnotes;
    else if (tagName === 'pre') properties.tabIndex = 0;
    else if (tagName === 'input') properties.ariaLabel = properties.checked ? labels.done : labels.notDone;
    else if (tagName === 'tr') finishHeaderCells(element, parent.type === 'element' && parent.tagName === 'thead');
    else if (tagName === 'table') {
      tables += 1;
      parent.children[index] = scrollable(element, tables === 1 ? labels.table : `${labels.table} ${tables}`);
    } else if (tagName === 'img') {
      const src = stringProperty(element, 'src');
      const place = images.get(src) ?? images.size;
      images.set(src, place);
      // The marker must be the first attribute: placeImages relies on it.
      element.properties = { dataImage: place, alt: '', ...properties, loading: 'lazy', decoding: 'async' };
    }
  });
  return [...images.keys()];
}
