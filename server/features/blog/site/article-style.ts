/** Styles of a post: its header, all elements generated from Markdown, and the sections after it. */
export const articleStyle = `
.post { --measure: min(34rem, 52ch); font: 1.125rem/1.65 var(--serif); padding-top: clamp(2rem, 6vw, 4rem) }
.post > header, .prose, .contents, .tags { max-width: var(--measure); margin-inline: auto }
.post h1 { font-size: clamp(2.125rem, 6vw, 3.25rem); line-height: 1.08; letter-spacing: -.02em }
.standfirst { font-size: 1.3125rem; line-height: 1.45; color: var(--soft); margin-top: 1rem; overflow-wrap: break-word }
.byline { display: flex; gap: .75rem; align-items: center; margin-top: 1.5rem; font: .9375rem/1.4 var(--sans) }
.avatar { flex: none; width: 40px; height: 40px; border-radius: 50%; object-fit: cover; background: var(--panel); color: var(--accent); display: grid; place-items: center; font: 600 .875rem var(--sans) }
.author { font-weight: 600; overflow-wrap: anywhere }
.post > .cover { margin: 2rem auto 0; max-width: min(100%, 60rem); max-height: 44rem; object-fit: cover }
.post > .boxed { width: 100%; aspect-ratio: 16/9 }
.contents { margin-top: 2rem }
.contents details { padding: .375rem 1rem; border: 1px solid var(--line); border-radius: 4px; font: .9375rem/1.4 var(--sans) }
.contents summary { font-weight: 600; padding: .375rem 0 }
.contents ol { list-style: none; padding: 0 0 .5rem }
.contents a { display: block; padding: .3125rem 0; text-decoration: none }
.contents a:hover { text-decoration: underline }
.contents .deeper { padding-inline-start: 1.25rem }

.prose { margin-top: 2rem; overflow-wrap: break-word }
.prose > :first-child { margin-top: 0 }
.prose :is(p, ul, ol, blockquote, pre, figure, details, dl, div) { margin: 0 0 1.25em }
.prose .heading { margin: 0 }
.prose :is(blockquote, li, dd, figure, details, section) > :last-child { margin-bottom: 0 }
.prose .heading { position: relative }
.prose :is(h1, h2, h3, h4, h5, h6) { margin: 1.9em 0 .6em; scroll-margin-top: 1rem }
.prose h1 { font-size: 1.75rem }
.prose h2 { font-size: 1.5625rem }
.prose h3 { font-size: 1.3125rem }
.prose :is(h4, h5, h6) { font-size: 1.125rem }
.prose :is(h5, h6) { color: var(--soft) }
.prose > .heading:first-child > :first-child { margin-top: 0 }
.prose a { color: var(--accent) }
.prose a:hover { text-decoration-thickness: 2px }
.prose .anchor { position: absolute; inset-inline-end: 100%; top: 0; padding-inline: .5rem; font-size: 1.25rem; line-height: 1.4; text-decoration: none; opacity: 0 }
.prose .anchor::before { content: '#' }
.prose .heading:hover .anchor, .prose .anchor:focus-visible { opacity: 1 }
.prose :is(ul, ol) { padding-inline-start: 1.5em }
.prose li { margin: .3em 0 }
.prose li > :is(ul, ol) { margin: .3em 0 }
.prose li > p { margin-bottom: .6em }
.prose ::marker { color: var(--soft) }
.prose .task-list-item { list-style: none }
.prose .task-list-item input { margin-inline: -1.4em .4em; width: 1em; height: 1em; vertical-align: -.1em; accent-color: var(--accent) }
.prose blockquote { padding-inline-start: 1.25rem; border-inline-start: 3px solid var(--accent); font-style: italic; color: var(--soft) }
.prose :is(code, kbd, samp, pre) { font-family: var(--mono); font-size: .85em }
.prose :not(pre) > code { background: var(--panel); border-radius: 3px; padding: .12em .3em }
.prose a > code { color: inherit }
.prose kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: .08em .4em; background: var(--panel) }
.prose pre { padding: 1rem 1.125rem; overflow-x: auto; border-radius: 4px; line-height: 1.55; font-size: .8125em; tab-size: 2; hyphens: none; direction: ltr; text-align: left; background: var(--panel) }
.prose pre code { font-size: 1em }
.prose .table { overflow-x: auto }
.prose table { border-collapse: collapse; min-width: 100%; font: .9375rem/1.45 var(--sans); font-variant-numeric: tabular-nums }
.prose :is(th, td) { padding: .5rem .75rem; border-bottom: 1px solid var(--line); text-align: start; vertical-align: top }
.prose th { border-bottom: 2px solid var(--ink); font-weight: 600 }
.prose :is(th, td)[align=right] { text-align: right }
.prose :is(th, td)[align=center] { text-align: center }
.prose img { vertical-align: middle; border-radius: 4px }
.prose img:not([width][height]) { width: 100%; aspect-ratio: 3/2; object-fit: contain; background: var(--panel) }
.prose p > img:only-child { display: block; margin-inline: auto }
.prose figcaption, .prose figure + em { font: .875rem/1.45 var(--sans); color: var(--soft); margin-top: .5rem }
.prose figure { margin-inline: 0 }
.prose hr { border: 0; margin: 2.5em auto; width: 6rem; border-top: 1px solid var(--soft) }
.prose summary { font-weight: 600 }
.prose details { border-block: 1px solid var(--line); padding: .5rem 0 }
.prose details[open] > summary { margin-bottom: .75rem }
.prose dt { font-weight: 600 }
.prose dd { margin-inline-start: 1.5rem }
.prose mark { background: oklch(90% .1 95); color: #1f1d1a }
.prose :is(sup, sub) { font-size: .75em; line-height: 0 }
.prose :is(sup, sub) a { padding-inline: .15em }
.prose .footnotes { margin-top: 3rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: .9375rem; line-height: 1.5 }
.sr-only { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.prose :target { background: color-mix(in oklab, var(--accent) 12%, transparent) }

.tags { margin-top: 2.5rem }
.tags ul { display: flex; flex-wrap: wrap; gap: .5rem; font: .9375rem var(--sans) }
.tags a { display: block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: 1rem; text-decoration: none; overflow-wrap: anywhere }
.tags a:hover { border-color: currentColor }
.neighbours { display: flex; flex-wrap: wrap; gap: 1.5rem 3rem; justify-content: space-between; max-width: 60rem; margin: clamp(3rem, 8vw, 4.5rem) auto 0; padding-top: 1.5rem; border-top: 1px solid var(--line) }
.neighbours a { flex: 1 1 14rem; min-width: 0; text-decoration: none; overflow-wrap: break-word }
.neighbours span { display: block; color: var(--soft); font-size: .875rem; margin-bottom: .25rem }
.neighbours strong { font: 600 1.1875rem/1.3 var(--serif) }
.neighbours a:hover strong { text-decoration: underline }
.neighbours .next { text-align: end }
.publisher { max-width: 60rem; margin: 2.5rem auto 0; padding: clamp(1.5rem, 4vw, 2.25rem); background: var(--panel); border-radius: 4px }
.publisher h2 { font-size: 1.375rem }
.publisher h2 a { text-decoration: none }
.publisher .tagline { margin-top: .25rem; font-size: 1.0625rem }
.publisher p:not(.tagline) { margin-top: .75rem; max-width: 65ch; overflow-wrap: break-word }
.publisher .website { display: inline-block; margin-top: .75rem }
`;
