import { uuid } from '@/app/_kit/uuid';
import type { RecordKind } from '@/server/features/search/search.schema';
import type { RecordLinks } from '../section';
import { sections } from '../sections';

/** The pages of each kind of record. */
export const recordKinds = Object.assign({}, ...sections.map(({ records }) => records)) as Record<RecordKind, RecordLinks>;

/** The record a page is about; null for other pages. */
export function recordOfPath(pathname: string): { kind: RecordKind; id: string } | null {
  const id = new RegExp(`/(${uuid})$`, 'i').exec(pathname)?.[1];
  if (id === undefined) return null;
  for (const [kind, { href }] of Object.entries(recordKinds)) if (href(id) === pathname) return { kind: kind as RecordKind, id };
  return null;
}
