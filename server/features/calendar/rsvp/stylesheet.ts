import { dark, light, type Palette } from '@/server/platform/mail/layout/html-style';

/** Styles of the RSVP pages, in the colours of the mails that link to them. */

const colours = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

const rules = `
:root{color-scheme:light dark;${colours(light)}}
@media (prefers-color-scheme:dark){:root{${colours(dark)}}}
*{box-sizing:border-box}
html{background:var(--page);color:var(--text);font:400 16px/24px -apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;max-width:632px;padding:24px 16px;overflow-wrap:anywhere}
h1,h2,p,dl,dd,blockquote{margin:0}
h1{font-size:22px;line-height:28px;font-weight:600;margin-top:2px}
h2{font-size:16px;line-height:24px;font-weight:600}
a{color:var(--accentText);text-underline-offset:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.business{padding:0 8px 12px;font-weight:600}
.card{background:var(--card);border:1px solid var(--border);border-radius:8px}
.head{display:flex;gap:16px;align-items:flex-start;padding:28px 32px 0}
.leaf{flex:none;width:60px;padding:5px 0;border-radius:8px;background:var(--soft);text-align:center;font-size:13px;line-height:20px;color:var(--muted)}
.leaf span{display:block}
.leaf .month{color:var(--accentText);font-weight:600}
.leaf .day{color:var(--text);font-size:24px;line-height:28px;font-weight:600}
.kind{padding-top:10px;font-size:13px;line-height:20px;font-weight:600;color:var(--accentText)}
.off .leaf{background:var(--page)}
.off .kind,.off .leaf .month,.off h1{color:var(--muted)}
.off h1{text-decoration:line-through}
.block{padding:18px 32px;border-top:1px solid var(--border)}
.block.intro{border-top:0;padding-top:16px;padding-bottom:20px}
.facts{display:grid;gap:8px;font-size:15px}
.facts div{display:grid;grid-template-columns:96px minmax(0,1fr);gap:12px}
.facts dt{font-size:13px;color:var(--muted)}
.facts dd span{display:block}
.note,.small{font-size:13px;line-height:20px;color:var(--muted)}
.answers{display:flex;flex-wrap:wrap;gap:8px;margin:12px 0}
button{flex:1 1 0;min-width:104px;min-height:44px;padding:8px 16px;border:1px solid var(--border);border-radius:6px;background:var(--card);color:var(--accentText);font:inherit;font-weight:600;white-space:nowrap;cursor:pointer}
button:hover{border-color:var(--accent)}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--onAccent)}
button.recorded{background:var(--soft);border-color:var(--accent)}
.typed{font-size:15px}
.typed p{unicode-bidi:plaintext;text-align:start}
.typed p+p,.typed p+blockquote,.typed blockquote+p{margin-top:12px}
.typed blockquote{padding-left:12px;border-left:2px solid var(--border);color:var(--muted)}
.vh{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.message{padding:28px 32px}
.message p{margin-top:8px}
footer{padding:16px 8px 0;font-size:13px;line-height:20px;color:var(--muted);text-align:center}
footer p+p{margin-top:8px}
@media (max-width:480px){
body{padding:12px 8px}
.head,.block,.message{padding-left:20px;padding-right:20px}
.facts div{grid-template-columns:minmax(0,1fr);gap:0}
}
@media (prefers-reduced-motion:no-preference){button{transition:border-color .12s}}
@media (forced-colors:active){button.primary,button.recorded{border-width:3px}}
@media print{.answers{display:none}html{background:#fff}}
`;

/** For the one `<style>` element of every page; the content security policy has its hash. */
export const stylesheet = rules.trim().replaceAll('\n', '');
