import { CodeFact, Fact, FactList } from '@/app/_kit/facts';
import { HistoryLink } from '@/app/_kit/history-link';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import type { CustomerRecord } from '@/server/features/customers/customer.schema';

/** What the system knows of a customer by itself. */
export function RecordCard({ customer }: { customer: CustomerRecord }) {
  return (
    <SectionCard title="Record" actions={<HistoryLink id={customer.id} subject="this customer" />}>
      <FactList>
        <Fact term="Created">
          <RelativeTime value={customer.createdAt} />
        </Fact>
        <Fact term="Updated">
          <RelativeTime value={customer.updatedAt} />
        </Fact>
        <Fact term="Customer id" copy={{ value: customer.id, label: 'Copy customer id' }}>
          <CodeFact>{customer.id}</CodeFact>
        </Fact>
      </FactList>
    </SectionCard>
  );
}
