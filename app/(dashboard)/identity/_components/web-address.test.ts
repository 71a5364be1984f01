import { expect, test } from 'vitest';
import { withScheme } from './web-address';

test.each([
  ['kettlegrain.example', 'https://kettlegrain.example'],
  ['www.kettlegrain.example/shop?a=1#top', 'https://www.kettlegrain.example/shop?a=1#top'],
  ['kettlegrain.example:8080', 'https://kettlegrain.example:8080'],
  ['//kettlegrain.example', 'https://kettlegrain.example'],
  ['kétl.example', 'https://kétl.example'],
])('%j gets its scheme', (typed, address) => expect(withScheme(typed)).toBe(address));

test.each([
  '',
  'https://kettlegrain.example',
  'http://a.example',
  'ftp://a.example',
  'mailto:ann@a.example',
  'ann@a.example',
  'kettlegrain',
  'javascript:alert(1)',
  'a.example and more',
])('%j stays as it is', (typed) => expect(withScheme(typed)).toBe(typed));
