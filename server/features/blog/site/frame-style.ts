import { accentHues } from './accent';

/**
 * Colours, masthead, lists, business and footer of the public blog, and its print styles. Strings in it must not contain `,` or
 * `;` followed by a space: `stylesheet.ts` removes such spaces. The small masthead has the padding of its links at the name too: a page
 * that arrives in pieces shows the name first, which must not move when they come.
 */
export const frameStyle = `
:root {
  color-scheme: light dark;
  --paper: #fdfcfa; --ink: #1f1d1a; --soft: #68635b; --line: #e3dfd6; --panel: #f4f1ea; --hue: 25;
  --accent: oklch(44% .13 var(--hue));
  --serif: ui-serif, Charter, 'Bitstream Charter', 'Iowan Old Style', 'Sitka Text', Cambria, Georgia, serif;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
${accentHues.map((hue, place) => `.hue-${place} { --hue: ${hue} }`).join('\n')}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #181715; --ink: #e8e4dc; --soft: #a8a297; --line: #37342f; --panel: #22201d;
    --accent: oklch(81% .09 var(--hue));
  }
}
* { box-sizing: border-box }
html { background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--sans); -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } a { transition: color .12s, text-decoration-color .12s } }
body { margin: 0 auto; max-width: 72rem; padding: 0 clamp(1rem, 4vw, 2.5rem); min-height: 100vh; display: flex; flex-direction: column }
main { flex: 1; outline: 0 }
h1, h2, h3, h4, h5, h6 { font-family: var(--serif); font-weight: 600; line-height: 1.2; margin: 0; text-wrap: balance; overflow-wrap: break-word; hyphens: auto; hyphenate-limit-chars: 14 5 5 }
p, ul, ol { margin: 0 }
nav ul, .services ul, .feeds, .cards { list-style: none; padding: 0 }
a { color: inherit; text-decoration-color: color-mix(in oklab, currentColor 40%, transparent); text-underline-offset: .2em; text-decoration-thickness: 1px }
a:hover { color: var(--accent); text-decoration-color: currentColor }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 2px }
img { max-width: 100%; height: auto }
.cover { display: block; background: var(--panel); border-radius: 4px }
.skip { position: absolute; inset-inline-start: 1rem; top: -6rem; padding: .5rem 1rem; background: var(--ink); color: var(--paper); z-index: 1 }
.skip:focus { top: 0 }

.masthead { padding: clamp(2rem, 6vw, 4.5rem) 0 0; text-align: center }
.name { font: 700 clamp(2.25rem, 7vw, 4.25rem)/1.05 var(--serif); letter-spacing: -.02em }
.name a { text-decoration: none }
[dir=rtl] :is(h1, h2, .name) { letter-spacing: 0 }
.tagline { font: italic 1.1875rem/1.4 var(--serif); color: var(--soft); margin-top: .75rem; text-wrap: balance }
.masthead.small { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; justify-content: space-between; padding: 1rem 0; border-bottom: 1px solid var(--line); text-align: start }
.small .name { font-size: 1.25rem; letter-spacing: 0; padding: .5rem 0 }
.small nav { font-size: .9375rem }
.topics { margin-top: clamp(1.5rem, 4vw, 2.5rem); padding: .625rem 0; border-block: 1px solid var(--line); border-top: 3px double var(--ink); font-size: .9375rem }
.topics ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; justify-content: center }
.topics a, .topics summary, .pages a, .feeds a, .small nav a { display: inline-block; padding: .375rem 0 }
.topics a { text-decoration: none }
.topics a:hover { text-decoration: underline }
.topics [aria-current] { color: var(--accent); box-shadow: inset 0 -2px }
.count { color: var(--soft); font-size: .8125rem; font-variant-numeric: tabular-nums }
summary { cursor: pointer }
.topics details { text-align: center }
.topics summary { color: var(--soft) }
.topics summary::after { content: ' ▾' / '' }
.topic { font: 600 1.75rem/1.2 var(--serif); margin-top: 2.5rem }
.topic span { font: .9375rem var(--sans); color: var(--soft); margin-inline-start: .5rem }
.empty { padding: 5rem 0; text-align: center; font: italic 1.25rem/1.5 var(--serif); color: var(--soft) }

.card { position: relative }
.card h2 { font-size: 1.4375rem }
.card h2 a { text-decoration: none }
.card h2 a::after { content: ''; position: absolute; inset: 0 }
.card h2 a:hover { text-decoration: underline; text-decoration-thickness: 2px }
.card .cover { width: 100%; aspect-ratio: 3/2; object-fit: cover }
.card .cover + div { margin-top: 1rem }
.excerpt { color: var(--soft); margin-top: .5rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 4; overflow: hidden; overflow-wrap: break-word }
.facts { display: flex; flex-wrap: wrap; color: var(--soft); font-size: .875rem; margin-inline-start: -1.25rem; clip-path: inset(0 0 0 1.25rem) }
[dir=rtl] .facts { clip-path: inset(0 1.25rem 0 0) }
.facts > *::before { content: '·'; display: inline-block; width: 1.25rem; text-align: center }
.card .facts { margin-top: .75rem }
.lead { padding: clamp(1.5rem, 4vw, 3rem) 0 }
.lead h2 { font-size: clamp(1.875rem, 4.6vw, 3.125rem); line-height: 1.1; letter-spacing: -.015em }
.lead .excerpt { font: 1.1875rem/1.5 var(--serif); margin-top: 1rem; max-width: 38rem; -webkit-line-clamp: 6 }
.lead > div:only-child { max-width: 52rem }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); gap: 3rem 2.25rem; padding-top: 2.5rem }
.lead + .cards { border-top: 1px solid var(--line) }
.cards:empty { display: none }
.cards .card > div:only-child { border-top: 3px solid var(--accent); padding-top: 1rem }
.cards .card > div:only-child .excerpt { -webkit-line-clamp: 8 }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 2rem; justify-content: center; align-items: baseline; margin-top: 3.5rem }
.pages span { color: var(--soft); font-size: .9375rem }

.business { display: flex; flex-wrap: wrap; gap: 2.5rem 3.5rem; margin-top: clamp(3rem, 8vw, 5rem); padding: clamp(1.5rem, 4vw, 2.75rem); background: var(--panel); border-radius: 4px }
.business > section { flex: 1 1 15rem; min-width: 0 }
.business > .services { flex: 2 1 22rem }
.business h2 { font: 600 .9375rem/1.4 var(--sans); color: var(--soft); margin-bottom: .875rem }
.business p + p { margin-top: .75rem }
.business p { overflow-wrap: break-word; max-width: 65ch }
.services li { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1.5rem; padding: .75rem 0; border-top: 1px solid var(--line) }
.services li:first-child { border: 0; padding-top: 0 }
.services h3 { font-size: 1.125rem }
.services p + p { margin: 0 }
.feeds { margin-top: -.375rem }
.services .price { font-variant-numeric: tabular-nums; text-align: end }
.services .price + p, .services h3 + p:not(.price) { grid-column: 1/-1; color: var(--soft); font-size: .9375rem }
.business > section:last-child { flex: 0 1 8rem }
.website { overflow-wrap: anywhere }
.colophon { display: flex; flex-wrap: wrap; gap: .25rem 2rem; justify-content: space-between; margin-top: 3rem; padding: 1.25rem 0 2rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .8125rem }
.message { max-width: 34rem; margin: clamp(3rem, 12vh, 8rem) auto; text-align: center }
.message h1 { font-size: clamp(2rem, 6vw, 3rem) }
.message p { margin-top: 1rem }
@media (min-width: 64rem) {
  .lead:has(.cover) { display: grid; grid-template-columns: 7fr 5fr; gap: 2.75rem; align-items: center }
  .lead .cover + div { margin: 0 }
}
`;

/** Print styles: black on white, no navigation, and URLs after links. */
export const printStyle = `
@media print {
  @page { margin: 2cm }
  :root { --paper: #fff; --ink: #000; --soft: #333; --line: #bbb; --panel: #fff; --accent: #000; color-scheme: light }
  html { font-size: 11pt }
  body { display: block; max-width: none; padding: 0 }
  nav, .skip, .pages, .anchor, .feeds, .avatar { display: none !important }
  .business > section:last-child, .publisher { display: none }
  .post > * { max-width: 15cm !important; margin-inline: 0 !important }
  .prose { font-size: 11pt; line-height: 1.45 }
  .prose a[href^='http']::after { content: ' (' attr(href) ')'; font-size: .85em; overflow-wrap: anywhere }
  .post > .cover, .prose img { max-height: 8cm; width: auto }
  .card .cover { max-width: 8cm }
  .cards { display: block }
  .card, figure, pre, img, tr, blockquote { break-inside: avoid }
  .card { margin-bottom: 1.5rem }
  h1, h2, h3, h4 { break-after: avoid }
  p { orphans: 3; widows: 3 }
  .prose pre { white-space: pre-wrap; border: 1px solid #bbb }
  .prose .table { overflow: visible }
}
`;
