/** The product's mark: a desk bell, in the accent colour. */
export function BrandMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g fill="none" stroke="var(--accent-foreground)" strokeWidth="2.25" strokeLinecap="round" strokeLinejoin="round">
        <path d="M8 20.5a8 8 0 0 1 16 0z" />
        <path d="M7 24.5h18" />
        <path d="M16 12.5V9.75M13.75 8.75h4.5" />
      </g>
    </svg>
  );
}
