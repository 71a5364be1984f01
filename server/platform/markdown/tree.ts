import type rehypeSanitize from 'rehype-sanitize';

/** The HTML tree (hast) as the plugins of the pipeline hand it on. */
export type Root = ReturnType<ReturnType<typeof rehypeSanitize>>;
export type Node = Root['children'][number];
export type Element = Extract<Node, { type: 'element' }>;

/** A property that is one string; '' where it is missing or something else. */
export function stringProperty(element: Element, name: string): string {
  const value = element.properties[name];
  return typeof value === 'string' ? value : '';
}

/** Whether a class is among the element's. */
export function hasClass(element: Element, name: string): boolean {
  const { className } = element.properties;
  return Array.isArray(className) && className.includes(name);
}
