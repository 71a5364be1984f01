/** Style of a field in a list row, without a visible label. */
export const compactField =
  'h-9 min-w-0 rounded-md border border-field-border bg-field px-2.5 text-base outline-none placeholder:text-field-placeholder hover:border-field-border-hover focus:border-field-border-focus focus:ring-1 focus:ring-focus aria-invalid:border-danger aria-invalid:ring-danger sm:h-8 sm:text-sm';
