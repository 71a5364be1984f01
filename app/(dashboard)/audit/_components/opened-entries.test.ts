import { expect, it } from 'vitest';
import { hasOpenDetails, isRowOpen, type OpenedEntries, toggleDetails, toggleRow } from './opened-entries';

const nothing: OpenedEntries = new Map();

it('opens and closes details and rows', () => {
  const details = toggleDetails(nothing, '3', false);
  expect([hasOpenDetails(details, '3'), hasOpenDetails(details, '2')]).toEqual([true, false]);
  expect(toggleDetails(details, '3', false)).toEqual(nothing);
  const row = toggleRow(nothing, ['3', '2', '1']);
  expect([isRowOpen(row, ['3', '2', '1']), hasOpenDetails(row, '3')]).toEqual([true, false]);
  expect(toggleRow(row, ['3', '2', '1'])).toEqual(nothing);
});

it('keeps a row open that grows on either side', () => {
  const row = toggleRow(nothing, ['3', '2', '1']);
  expect(isRowOpen(row, ['4', '3', '2', '1', '0'])).toBe(true);
  expect(isRowOpen(row, ['6', '5'])).toBe(false);
});

it('keeps a row open in which details are opened and closed', () => {
  const opened = toggleDetails(toggleRow(nothing, ['3', '2', '1']), '2', true);
  const closed = toggleDetails(opened, '2', true);
  expect([isRowOpen(closed, ['3', '2', '1']), hasOpenDetails(closed, '2')]).toEqual([true, false]);
});

it('shows details that were open when their change gets a row with others, until that is closed', () => {
  const details = toggleDetails(nothing, '2', false);
  expect(isRowOpen(details, ['3', '2', '1'])).toBe(true);
  expect(isRowOpen(toggleDetails(details, '2', true), ['3', '2', '1'])).toBe(true);
  expect(toggleRow(details, ['3', '2', '1'])).toEqual(nothing);
});
