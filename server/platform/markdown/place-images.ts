const escapes: Record<string, string> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };

function serialise(attributes: Record<string, string | number>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${String(value).replace(/[&"<>]/g, (character) => escapes[character] ?? '')}"`)
    .join('');
}

/**
 * Replaces the markers of a rendered post's images by attributes such as width, height, srcset and sizes.
 *
 * The marker is found by `<img data-image="N"`: rendering puts it first, and everything else that looks like it in a post has its
 * `<` or its quotes escaped.
 *
 * @param attributesOf what to write for the image with that place in `RenderedMarkdown.images`; names must be attribute names,
 * values are escaped here; null: only the marker goes
 */
export function placeImages(html: string, attributesOf: (index: number) => Record<string, string | number> | null): string {
  return html.replace(/<img data-image="(\d+)"/g, (_, index: string) => `<img${serialise(attributesOf(Number(index)) ?? {})}`);
}
