import { expect, test } from 'vitest';
import { attachmentKind } from './attachment-kind';

test.each([
  ['report.PDF', 'application/octet-stream', 'document'],
  ['photo', 'image/jpeg', 'image'],
  ['numbers.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'sheet'],
  ['list', 'text/csv; charset=utf-8', 'sheet'],
  ['backup.tar', 'application/x-tar', 'archive'],
  ['memo', 'Audio/MPEG', 'audio'],
  ['clip.mp4', 'video/mp4', 'video'],
  ['invite', 'text/calendar', 'calendar'],
  ['forwarded', 'message/rfc822', 'mail'],
  ['noname', '', 'file'],
  ['x.constructor', 'application/octet-stream', 'file'],
])('%s (%s) is a %s', (filename, contentType, kind) => {
  expect(attachmentKind({ filename, contentType })).toBe(kind);
});
