import { ChevronLeft, ChevronRight, Ellipsis } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { lastKnownPage, type PageTotals, pageItems } from './page-items';
import { isPlainClick } from './plain-click';
import { useViewerLocale } from './viewer-format';

interface PaginationProps extends PageTotals {
  /** The plural of the rows, for screen readers: "customers". */
  label: string;
  /** The address of a page, so that it can be opened in another tab. */
  hrefFor: (page: number) => string;
  onPageChange: (page: number) => void;
}

/** ‹ 1 2 3 … › as real links. Renders nothing if there is only one page. */
export function Pagination({ label, hrefFor, onPageChange, ...totals }: PaginationProps) {
  const locale = useViewerLocale();
  const { page } = totals;
  const last = lastKnownPage(totals);
  if (last === 1 && page === 1) return null;

  const follow = (event: MouseEvent, target: number) => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onPageChange(target);
  };

  const step = (target: number, name: string, icon: ReactNode) => {
    if (target < 1 || target > last) {
      return (
        <span aria-hidden className={`${cell} opacity-35`}>
          {icon}
        </span>
      );
    }
    return (
      <a
        href={hrefFor(target)}
        aria-label={name}
        rel={target < page ? 'prev' : 'next'}
        className={link}
        onClick={(event) => follow(event, target)}
      >
        {icon}
      </a>
    );
  };

  return (
    <nav aria-label={`Pages of ${label}`}>
      <ul className="flex items-center gap-1 text-label">
        <li>{step(page > last ? last : page - 1, 'Previous page', <ChevronLeft aria-hidden className="size-4" />)}</li>
        {pageItems(totals).map((item) =>
          item.kind === 'gap' ? (
            <li key={item.id} className={`${cell} text-muted`}>
              <Ellipsis aria-hidden className="size-4" />
              <span className="sr-only">{item.id === 'unknown' ? 'and more pages' : 'more pages'}</span>
            </li>
          ) : (
            <li key={item.page}>
              <a
                href={hrefFor(item.page)}
                aria-label={`Page ${item.page.toLocaleString(locale)}`}
                aria-current={item.page === page ? 'page' : undefined}
                className={`${link} ${item.page === page ? 'bg-accent-soft font-semibold text-accent-text' : ''}`}
                onClick={(event) => follow(event, item.page)}
              >
                {item.page.toLocaleString(locale)}
              </a>
            </li>
          ),
        )}
        <li>{step(page + 1, 'Next page', <ChevronRight aria-hidden className="size-4" />)}</li>
      </ul>
    </nav>
  );
}

const cell = 'inline-flex h-10 min-w-10 items-center justify-center rounded-md px-2 sm:h-8 sm:min-w-8';
const link = `${cell} hover:bg-default`;
