import type { ReactNode } from 'react';

interface SurfaceProps {
  children: ReactNode;
  /** On a phone a list extends to both edges; everything else stays a card. */
  isList?: boolean;
}

/** The surface of tables, lists and their empty states. Titled parts of a page use `SectionCard`. */
export function Surface({ children, isList = false }: SurfaceProps) {
  return <div className={isList ? listSurface : 'overflow-hidden rounded-lg border border-border bg-surface'}>{children}</div>;
}

const listSurface =
  'border-border bg-surface max-md:-mx-4 max-md:border-y max-md:sm:-mx-6 md:overflow-hidden md:rounded-lg md:border';
