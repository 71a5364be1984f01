import type rehypeSanitize from 'rehype-sanitize';

/** The HTML tree (hast) passed between the pipeline's plugins. */
export type Root = ReturnType<ReturnType<typeof rehypeSanitize>>;
export type Node = Root['children'][number];
export type Element = Extract<Node, { type: 'element' }>;

/** A string property; '' if it is missing or of another type. */
export function stringProperty(element: Element, name: string): string {
  const value = element.properties[name];
  return typeof value === 'string' ? value : '';
}

/** True if the element has the class. */
export function hasClass(element: Element, name: string): boolean {
  const { className } = element.properties;
  return Array.isArray(className) && className.includes(name);
}
