const escapes: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

function serialise(attributes: Record<string, string | number>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${String(value).replace(/[&"<>]/g, (character) => escapes[character] ?? '')}"`)
    .join('');
}

/**
 * Replaces image markers of a rendered post by attributes such as width, height, srcset and sizes.
 * Markers match `<img data-image="N"`: the renderer puts the attribute first, and similar text in a post is escaped.
 * @param attributesOf attributes of the image with that index in `RenderedMarkdown.images`; names must be valid, values are
 * escaped here; null: only remove the marker
 */
export function placeImages(html: string, attributesOf: (index: number) => Record<string, string | number> | null): string {
  return html.replace(/<img data-image="(\d+)"/g, (_, index: string) => `<img${serialise(attributesOf(Number(index)) ?? {})}`);
}
