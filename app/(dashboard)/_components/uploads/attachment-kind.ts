export type AttachmentKind = 'image' | 'document' | 'sheet' | 'archive' | 'audio' | 'video' | 'calendar' | 'mail' | 'file';

const byExtension: Record<string, AttachmentKind> = {
  csv: 'sheet',
  doc: 'document',
  docx: 'document',
  eml: 'mail',
  gz: 'archive',
  ics: 'calendar',
  md: 'document',
  msg: 'mail',
  numbers: 'sheet',
  odp: 'document',
  ods: 'sheet',
  odt: 'document',
  pages: 'document',
  pdf: 'document',
  ppt: 'document',
  pptx: 'document',
  rar: 'archive',
  rtf: 'document',
  tar: 'archive',
  txt: 'document',
  xls: 'sheet',
  xlsx: 'sheet',
  zip: 'archive',
  '7z': 'archive',
};

const byType: readonly [RegExp, AttachmentKind][] = [
  [/^image\//, 'image'],
  [/^audio\//, 'audio'],
  [/^video\//, 'video'],
  [/^text\/calendar/, 'calendar'],
  [/^message\//, 'mail'],
  [/spreadsheet|ms-excel|text\/csv/, 'sheet'],
  [/zip|compressed|x-tar|x-rar/, 'archive'],
  [/^application\/pdf|wordprocessing|msword|presentation|opendocument|^text\//, 'document'],
];

/**
 * The kind of an attachment, for its icon. The file name is more reliable than the type, which is often
 * `application/octet-stream`.
 */
export function attachmentKind({ filename, contentType }: { filename: string; contentType: string }): AttachmentKind {
  const extension = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension] ?? 'file';
  return byType.find(([pattern]) => pattern.test(contentType.toLowerCase()))?.[1] ?? 'file';
}
