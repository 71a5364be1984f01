import type { ReactNode } from 'react';

interface SurfaceProps {
  children: ReactNode;
  /** On a phone a list runs from edge to edge; everything else stays a card. */
  isList?: boolean;
}

/** The ground that tables, lists and their empty states stand on. Titled parts of a page are a `SectionCard`. */
export function Surface({ children, isList = false }: SurfaceProps) {
  return <div className={isList ? listSurface : 'overflow-hidden rounded-lg border border-border bg-surface'}>{children}</div>;
}

const listSurface =
  'border-border bg-surface max-md:-mx-4 max-md:border-y max-md:sm:-mx-6 md:overflow-hidden md:rounded-lg md:border';
