/**
 * Colours and styles of the mails' HTML. Light colours are inline, because Gmail's apps and Outlook drop style sheets; dark
 * ones are in the style sheet, which programs with their own dark mode support.
 */

/** The dashboard's tokens in sRGB, because mail programs do not support oklch. */
export const light = {
  page: '#f5f4f1',
  card: '#ffffff',
  border: '#e3e1dc',
  text: '#24211e',
  muted: '#6b6763',
  accent: '#006864',
  onAccent: '#ffffff',
  accentText: '#00605c',
  soft: '#ddf2f0',
};

export type Palette = typeof light;

export const dark: Palette = {
  page: '#131210',
  card: '#1b1a18',
  border: '#34322f',
  text: '#eae8e5',
  muted: '#a7a39e',
  accent: '#55bfb3',
  onAccent: '#031a19',
  accentText: '#6ccfc2',
  soft: '#163432',
};

/** The colour role of an element; its class sets the dark colours. */
const roles = {
  page: ({ page }: Palette) => `background-color:${page}`,
  card: ({ card, border }: Palette) => `background-color:${card};border-color:${border}`,
  rule: ({ border }: Palette) => `border-color:${border}`,
  text: ({ text }: Palette) => `color:${text}`,
  muted: ({ muted }: Palette) => `color:${muted}`,
  link: ({ accentText }: Palette) => `color:${accentText}`,
  soft: ({ soft }: Palette) => `background-color:${soft}`,
  tinted: ({ soft, accent }: Palette) => `background-color:${soft};border-color:${accent}`,
  filled: ({ accent }: Palette) => `background-color:${accent};border-color:${accent}`,
  'on-filled': ({ onAccent }: Palette) => `color:${onAccent}`,
  quiet: ({ page, muted }: Palette) => `background-color:${page};color:${muted}`,
} as const;

type Role = keyof typeof roles;

const fonts = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** In pixels, as `size/line-height`. */
const sizes = {
  small: '13px/20px',
  body: '15px/24px',
  label: '13px/24px',
  lead: '16px/24px',
  title: '22px/28px',
  day: '24px/28px',
  code: '32px/40px',
};

/** Class and style attributes of an element. */
export function look(role: Role, style = '', alsoClass = ''): string {
  return `class="fd-${role}${alsoClass ? ` ${alsoClass}` : ''}" style="${roles[role](light)}${style ? `;${style}` : ''}"`;
}

/** `font:` of an element; every cell needs it, because Outlook does not inherit fonts. */
export function font(size: keyof typeof sizes, weight: 400 | 600 = 400): string {
  return `font:${weight} ${sizes[size]} ${fonts}`;
}

const darkRules = (prefix: string) =>
  (Object.keys(roles) as Role[])
    .map((role) => `${prefix}.fd-${role}{${roles[role](dark).replaceAll(';', ' !important;')} !important}`)
    .join('');

/**
 * Separate style sheets, because Gmail drops a whole sheet for one unsupported line: for all, for phones, for dark screens, and
 * for Outlook on the web, which marks dark mode with `data-ogsc`.
 */
export const styleSheets = [
  [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    '.fd-plain p{margin:0 0 12px}',
    '.fd-plain p:last-child{margin-bottom:0}',
    '.fd-plain blockquote{margin:0 0 12px;padding-left:12px}',
  ].join(''),
  `@media (max-width:480px){${[
    '.fd-pad{padding-left:20px !important;padding-right:20px !important}',
    '.fd-margin{padding:12px 8px !important}',
    '.fd-label,.fd-value{display:block !important;width:auto !important}',
    '.fd-label{padding-bottom:0 !important}',
    '.fd-value{padding-top:0 !important}',
  ].join('')}}`,
  `@media (prefers-color-scheme:dark){${darkRules('')}}`,
  darkRules('[data-ogsc] '),
];
