import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { socialImage } from './social-image';

interface Ink {
  /** Share of light pixels, which only text has. */
  share: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

async function inkOf(bytes: Buffer): Promise<Ink> {
  const { data, info } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
  const ink: Ink = { share: 0, left: info.width, right: 0, top: info.height, bottom: 0 };
  for (let at = 0; at < data.length; at += info.channels) {
    if ((data[at] ?? 0) < 140) continue;
    const [x, y] = [(at / info.channels) % info.width, Math.floor(at / info.channels / info.width)];
    ink.share += info.channels / data.length;
    ink.left = Math.min(ink.left, x);
    ink.right = Math.max(ink.right, x);
    ink.top = Math.min(ink.top, y);
    ink.bottom = Math.max(ink.bottom, y);
  }
  return ink;
}

const site = { siteName: 'Harbor Dental', byline: 'Mara Lindt · 21 November 2026' };

describe('the picture of a title', () => {
  const title = 'How we cut our reply time in half';

  test('is a small PNG of the size that link previews want', async () => {
    const bytes = await socialImage({ title, ...site }, 'a');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630, hasAlpha: false });
    expect(bytes.length).toBeLessThan(100_000);
  });

  test('has another colour with another hue, and is the same for the same words', async () => {
    const [one, same, other] = await Promise.all([
      socialImage({ title, ...site }, 'a'),
      socialImage({ title, ...site }, 'a'),
      socialImage({ title, ...site, hue: 30 }, 'a'),
    ]);
    expect(one.equals(same)).toBe(true);
    expect(one.equals(other)).toBe(false);
  });

  test('says all that is given', async () => {
    const whole = await inkOf(await socialImage({ title, ...site }, 'a'));
    const without = [
      await inkOf(await socialImage({ ...site, title: '' }, 'a')),
      await inkOf(await socialImage({ ...site, title, siteName: '' }, 'a')),
      await inkOf(await socialImage({ title, siteName: site.siteName }, 'a')),
    ];
    for (const { share } of without) expect(share).toBeLessThan(whole.share);
    expect(without[1]?.top).toBeGreaterThan(whole.top);
    expect(without[2]?.bottom).toBeLessThan(whole.bottom);
  });

  test('never reads it as markup', async () => {
    const marked = await inkOf(await socialImage({ ...site, title: '<span size="1">x</span> &amp; <b' }, 'a'));
    const plain = await inkOf(await socialImage({ ...site, title: 'x & b' }, 'a'));
    expect(marked.share).toBeGreaterThan(plain.share * 2);
  });
});

describe('stays within its margins with', () => {
  test.each([
    ['nothing', ''],
    ['blanks', ' \n\t\u00a0\u200b\u200d\ufe0f'],
    ['a word without an end', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'],
    ['no spaces at all', 'x'.repeat(5000)],
    ['wide letters', 'W'.repeat(300)],
    ['more than four lines', 'What five years of answering taught us '.repeat(20)],
    ['an address', 'https://example.com/a?b=c&d=e&f=g&h=i&j=k&l=m&n=o&p=q&r=s&t=u&v=w&x=y&z'],
    ['Arabic', 'كيف خفضنا وقت الرد إلى النصف في ثلاثة أشهر فقط'],
    ['Hebrew and English', 'שעות האביב of Harbor Dental בחיפה'],
    ['Chinese and Japanese', '春の営業時間のお知らせ：我们的新办公室开业了'],
    ['Thai and Hindi', 'เวลาทำการใหม่ नए खुलने का समय'],
    ['emoji', '🎉👩‍👩‍👧‍👦🇩🇪👍🏽 We are hiring 🫩'],
    ['towers of marks', `Z${'\u0334\u0322\u031b'.repeat(40)}algo ${'\u0301'.repeat(200)}`],
    ['control characters', 'a\u0000b\u0007c\u001bd\u202ee\u2066f\u2029g\ufeff\ufffe\uffff'],
    ['half a character', 'a\ud83cb\udf89c'],
    ['private and unassigned characters', 'a \ue000 \u{10ffff} \u{e0001} b'],
  ])('%s', async (_what, text) => {
    const bytes = await socialImage({ title: text, siteName: text, byline: text }, 'a');
    const { left, right, top, bottom, share } = await inkOf(bytes);
    expect(bytes.length).toBeLessThan(100_000);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 1200, height: 630 });
    if (share === 0) return;
    expect(left).toBeGreaterThan(60);
    expect(right).toBeLessThan(1140);
    expect(top).toBeGreaterThan(40);
    expect(bottom).toBeLessThan(590);
  });

  test('a title that runs from the right', async () => {
    const { left, right } = await inkOf(await socialImage({ title: 'שלום', siteName: '' }, 'a'));
    // Empty on a machine without a font for it.
    if (right > 0) expect([left > 600, right > 1100]).toEqual([true, true]);
  });
});
