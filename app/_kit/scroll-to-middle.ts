/**
 * The `ref` of the current link in a strip of links that scrolls sideways: shows it in the middle. The strip is a positioned `ul`.
 */
export function scrollToMiddle(link: HTMLAnchorElement | null): void {
  const strip = link?.closest('ul');
  if (link && strip) strip.scrollTo({ left: link.offsetLeft + link.offsetWidth / 2 - strip.clientWidth / 2 });
}
