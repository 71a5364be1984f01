'use client';

import { type ColumnDef, createColumnHelper, type RowData, tableFeatures, useTable } from '@tanstack/react-table';
import Link from 'next/link';
import type { KeyboardEvent, ReactNode } from 'react';
import { useKeptFocus } from './use-kept-focus';

export interface DataColumnMeta {
  /** Width, alignment and visibility between a phone and a laptop. */
  className?: string;
  /**
   * Where the column stands in the two-line list that a phone gets: above the line at its start or end, below it at its start or end,
   * or nowhere.
   */
  phone: 'title' | 'aside' | 'line' | 'line-end' | 'hidden';
}

const features = tableFeatures({ columnMeta: {} as DataColumnMeta });

export type DataColumn<Row extends RowData> = ColumnDef<typeof features, Row, unknown>;

/** TanStack's helper for the columns of a `DataTable`. Call it once, outside of components. */
export function columnHelper<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>();
}

interface DataTableProps<Row extends RowData> {
  /** What the rows are, for screen readers. */
  label: string;
  /** The first column names the row, and becomes the link that opens it. Keep the array stable. */
  columns: readonly DataColumn<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Where a row leads; without it, rows are there to be read. */
  rowHref?: (row: Row) => string;
  /** Small buttons that appear over the row's end on hover and focus; touch screens have them on the row's own page. */
  rowActions?: (row: Row) => ReactNode;
  /** True while these are still the rows of what was asked before. */
  isStale?: boolean;
  /** True below the title of a `SectionCard`, with whose text the columns line up. */
  isInCard?: boolean;
}

const phoneClasses: Record<DataColumnMeta['phone'], string> = {
  title: 'max-md:col-start-1 max-md:row-start-1 max-md:text-sm',
  aside: 'max-md:col-start-2 max-md:row-start-1 max-md:text-right',
  line: 'max-md:col-start-1 max-md:row-start-2',
  'line-end': 'max-md:col-start-2 max-md:row-start-2 max-md:justify-self-end',
  hidden: 'max-md:hidden',
};

/** Arrow keys walk from row to row, as in a mailbox. */
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
 * A table of records in rows of 44 px. Where a row leads somewhere, all of it does: the link of its first column spans it, so that opening in
 * another tab, the keyboard and screen readers work as with any link. On a phone it is a two-line list.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowId, rowHref, rowActions, isStale = false, isInCard = false } = props;
  const edges = isInCard ? 'first:pl-5 last:pr-5' : 'first:pl-4 last:pr-4';
  const table = useTable({ features, columns, data: rows, getRowId: rowId });
  const keptFocus = useKeptFocus();
  return (
    <table
      aria-label={label}
      aria-busy={isStale}
      className={`w-full table-fixed border-collapse text-label transition-opacity duration-150 max-md:block ${isStale ? 'opacity-60 delay-150' : ''}`}
    >
      <thead className="max-md:sr-only">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} className="border-b border-separator">
            {group.headers.map((header) => (
              <th
                key={header.id}
                scope="col"
                className={`h-9 px-2 text-left font-medium text-muted ${edges} ${header.column.columnDef.meta?.className ?? ''}`}
              >
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody {...keptFocus} onKeyDown={walkRows} className="max-md:block">
        {table.getRowModel().rows.map((row) => (
          <tr
            key={row.id}
            className="group/row relative border-b border-separator last:border-b-0 hover:bg-surface-hover has-focus-visible:bg-surface-hover max-md:grid max-md:min-h-16 max-md:grid-cols-[minmax(0,1fr)_auto] max-md:content-center max-md:items-center max-md:gap-x-3 max-md:gap-y-0.5 max-md:px-4 max-md:py-2.5"
          >
            {row.getAllCells().map((cell, index, cells) => {
              const { className = '', phone = 'hidden' } = cell.column.columnDef.meta ?? {};
              const content = <table.FlexRender cell={cell} />;
              return (
                <td
                  key={cell.id}
                  className={`h-11 truncate px-2 ${edges} max-md:h-auto max-md:w-auto max-md:p-0! ${className} ${phoneClasses[phone]}`}
                >
                  {index > 0 ? (
                    content
                  ) : rowHref ? (
                    <Link href={rowHref(row.original)} prefetch={false} data-row-link className={rowLink}>
                      {content}
                    </Link>
                  ) : (
                    <span className="block truncate font-medium text-foreground">{content}</span>
                  )}
                  {rowActions && index === cells.length - 1 && (
                    <span className="absolute inset-y-0 right-0 flex min-w-28 items-center justify-end gap-0.5 bg-linear-to-r from-transparent to-surface-hover to-15% pr-2 pl-6 opacity-0 group-hover/row:opacity-100 group-has-focus-visible/row:opacity-100 max-md:hidden [@media(hover:none)]:hidden">
                      {rowActions(row.original)}
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
