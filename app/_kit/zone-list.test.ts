import { expect, test } from 'vitest';
import { zoneChoices } from './zone-list';

test('zones are found by city and offset, each once, those given among them', () => {
  const zones = zoneChoices(Date.UTC(2026, 6), 'Europe/Berlin', 'US/Eastern');
  const labels = new Map(zones.map(({ id, label }) => [id, label]));
  expect(labels.get('America/New_York')).toBe('America/New York (GMT-4)');
  expect(labels.get('Europe/Berlin')).toBe('Europe/Berlin (GMT+2)');
  expect(labels.get('UTC')).toBe('UTC');
  expect(labels.has('US/Eastern')).toBe(true);
  expect(labels.size).toBe(zones.length);
});
