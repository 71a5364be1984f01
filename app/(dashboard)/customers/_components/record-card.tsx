import type { ReactNode } from 'react';
import { CopyButton } from '@/app/_components/copy-button';
import { RelativeTime } from '@/app/_components/relative-time';
import { SectionCard } from '@/app/_components/section-card';
import type { CustomerRecord } from '@/server/modules/customers/customer.schema';

/** What the system knows of a customer by itself. */
export function RecordCard({ customer }: { customer: CustomerRecord }) {
  return (
    <SectionCard title="Record">
      <dl className="flex flex-col gap-2.5 text-label">
        <Fact term="Created">
          <RelativeTime value={customer.createdAt} />
        </Fact>
        <Fact term="Updated">
          <RelativeTime value={customer.updatedAt} />
        </Fact>
        <Fact term="Customer id">
          <code className="min-w-0 truncate font-mono text-xs" title={customer.id}>
            {customer.id}
          </code>
          <CopyButton size="sm" value={customer.id} label="Copy customer id" />
        </Fact>
      </dl>
    </SectionCard>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-center justify-between gap-3">
      <dt className="shrink-0 text-muted">{term}</dt>
      <dd className="flex min-w-0 items-center gap-1">{children}</dd>
    </div>
  );
}
