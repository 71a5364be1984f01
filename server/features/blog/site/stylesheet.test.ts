import { expect, it } from 'vitest';
import { highlightCss } from '@/server/platform/markdown/highlight-style';
import { accentClass, accentHue, accentHues } from './accent';
import { blogStylesheet as css } from './stylesheet';

it('holds the rules for code, loads nothing, and cannot end its element', () => {
  expect(css).toContain(highlightCss);
  expect(css).not.toMatch(/url\(|@import|<\//);
  expect(css.split('{').length).toBe(css.split('}').length);
});

it('stays small', () => {
  expect(css.length - highlightCss.length).toBeLessThan(14_000);
});

it('has a rule for the accent of every site', () => {
  const classes = new Set(Array.from({ length: 200 }, (_, place) => accentClass(`site-${place}`)));
  expect(classes.size).toBe(accentHues.length);
  for (const name of classes) expect(css).toContain(`.${name}{--hue:`);
  expect(css).toContain(`.${accentClass('harbor')}{--hue:${accentHue('harbor')}}`);
});
