import Link from 'next/link';
import type { KeyboardEvent, ReactNode } from 'react';
import { isPlainClick } from './plain-click';
import { useKeptFocus } from './use-kept-focus';

export interface DataColumn<Row> {
  header: string;
  /** True if the header is for screen readers only. */
  hidesHeader?: boolean;
  cell: (row: Row) => ReactNode;
  /** Width, alignment and visibility between a phone and a laptop. */
  className?: string;
  /**
   * The column's position in the two-line list on a phone: start or end of the upper line, start or end of the lower one, or
   * none.
   */
  phone: 'title' | 'aside' | 'line' | 'line-end' | 'hidden';
}

interface DataTableProps<Row> {
  /** The accessible name of the rows. */
  label: string;
  /** The first column names the row and becomes the link that opens it. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  /** The page of a row; without it, rows are read-only. */
  rowHref?: (row: Row) => string;
  /** Opens a row on a plain click, for rows that this page shows itself, such as in a panel; `rowHref` is its address then. */
  onOpen?: (row: Row) => void;
  /** Small buttons that appear over the row's end on hover and focus; touch screens have them on the row's own page. */
  rowActions?: (row: Row) => ReactNode;
  /** True while the rows belong to the previous search. */
  isStale?: boolean;
  /** True below the title of a `SectionCard`, so that the columns align with its text. */
  isInCard?: boolean;
}

const phoneClasses: Record<DataColumn<unknown>['phone'], string> = {
  title: 'max-md:col-start-1 max-md:row-start-1 max-md:text-sm',
  aside: 'max-md:col-start-2 max-md:row-start-1 max-md:text-right',
  line: 'max-md:col-start-1 max-md:row-start-2',
  'line-end': 'max-md:col-start-2 max-md:row-start-2 max-md:justify-self-end',
  hidden: 'max-md:hidden',
};

/** Arrow keys move between rows. */
function walkRows(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const row = event.target instanceof Element ? event.target.closest('tr') : null;
  if (step === 0 || row === null || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const neighbour = step === 1 ? row.nextElementSibling : row.previousElementSibling;
  const link = neighbour?.querySelector<HTMLElement>('a[data-row-link]');
  if (!link) return;
  event.preventDefault();
  link.focus();
}

/**
 * A table of records in rows of 44 px. If a row has a page, the link of its first column spans the row, so that opening in
 * another tab, the keyboard and screen readers work as with any link. On a phone it is a two-line list.
 */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowHref, onOpen, rowActions, isStale = false, isInCard = false } = props;
  const edges = isInCard ? 'first:pl-5 last:pr-5' : 'first:pl-4 last:pr-4';
  const keptFocus = useKeptFocus();
  return (
    <table
      aria-label={label}
      aria-busy={isStale}
      className={`w-full table-fixed border-collapse text-label transition-opacity duration-150 max-md:block ${isStale ? 'opacity-60 delay-150' : ''}`}
    >
      <thead className="max-md:sr-only">
        <tr className="border-b border-separator">
          {columns.map(({ header, hidesHeader, className = '' }) => (
            <th key={header} scope="col" className={`h-9 px-2 text-left font-medium text-muted ${edges} ${className}`}>
              {hidesHeader ? <span className="sr-only">{header}</span> : header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...keptFocus} onKeyDown={walkRows} className="max-md:block">
        {rows.map((row) => (
          <tr
            key={row.id}
            className="group/row relative border-b border-separator last:border-b-0 hover:bg-surface-hover has-focus-visible:bg-surface-hover max-md:grid max-md:min-h-16 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:content-center max-md:items-center max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-4 max-md:py-2.5"
          >
            {columns.map(({ header, cell, className = '', phone }, index) => {
              const content = cell(row);
              return (
                <td
                  key={header}
                  className={`h-11 truncate px-2 ${edges} max-md:h-auto max-md:w-auto max-md:p-0! ${className} ${phoneClasses[phone]}`}
                >
                  {index > 0 ? (
                    content
                  ) : rowHref ? (
                    <Link
                      href={rowHref(row)}
                      prefetch={false}
                      data-row-link
                      className={rowLink}
                      onClick={(event) => {
                        if (!onOpen || !isPlainClick(event)) return;
                        event.preventDefault();
                        onOpen(row);
                      }}
                    >
                      {content}
                    </Link>
                  ) : (
                    <span className="block truncate font-medium text-foreground">{content}</span>
                  )}
                  {rowActions && index === columns.length - 1 && (
                    <span className="absolute inset-y-0 right-0 flex min-w-28 items-center justify-end gap-0.5 bg-linear-to-r from-transparent to-surface-hover to-15% pr-2 pl-6 opacity-0 group-hover/row:opacity-100 group-has-focus-visible/row:opacity-100 max-md:hidden [@media(hover:none)]:hidden">
                      {rowActions(row)}
                    </span>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const rowLink =
  'block truncate py-3 font-medium text-foreground max-md:py-0.5 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus';
