import { describe, expect, test } from 'vitest';
import { highlightCss, tokenStyles } from './highlight-style';

/** Relative luminance of WCAG 2.2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(Object.entries(tokenStyles))('%s', (kind, { light, dark }) => {
  test('can be read on light and dark', () => {
    for (const background of ['#fbfbf9', '#f4f4f1']) expect(contrast(light, background)).toBeGreaterThanOrEqual(4.5);
    for (const background of ['#161615', '#1f1f1d']) expect(contrast(dark, background)).toBeGreaterThanOrEqual(4.5);
  });

  test('is in the stylesheet', () => {
    expect(highlightCss).toContain(`.tok-${kind}{color:${light};color:light-dark(${light},${dark})}`);
  });
});
