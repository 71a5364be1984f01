import type { ReactNode } from 'react';
import { CopyButton } from '@/app/_components/copy-button';
import { RelativeTime } from '@/app/_components/relative-time';
import { SectionCard } from '@/app/_components/section-card';
import type { IdentityRecord } from '@/server/modules/identity/identity.schema';

const scopes: Record<IdentityRecord['scope'], string> = {
  business: 'Business: it speaks for a company.',
  identity: 'Identity: it speaks for one person.',
};

/** What was decided when the identity was created, and why it stays so. */
export function IdentityFacts({ identity }: { identity: IdentityRecord }) {
  const { handle, address, scope, id, createdAt, updatedAt } = identity;
  return (
    <SectionCard
      title="Identity"
      description="Fixed when the identity was created: links, mail and integrations that are out in the world depend on these."
    >
      <dl className="flex flex-col gap-4 text-label">
        <Fact term="Handle" note="The name in public addresses of this business." copy={{ value: handle, label: 'Copy handle' }}>
          <span className="font-mono text-xs">{handle}</span>
        </Fact>
        <Fact
          term="Mailbox address"
          note={address ? 'Mail to it reaches this business.' : 'Whoever runs this installation can give it one.'}
          {...(address ? { copy: { value: address, label: 'Copy mailbox address' } } : {})}
        >
          {address ?? 'None yet'}
        </Fact>
        <Fact term="Scope" note={scopes[scope]}>
          <span className="font-mono text-xs">{scope}</span>
        </Fact>
        <Fact term="Identity id" copy={{ value: id, label: 'Copy identity id' }}>
          <code className="truncate font-mono text-xs" title={id}>
            {id}
          </code>
        </Fact>
        <Fact term="Created">
          <RelativeTime value={createdAt} />
        </Fact>
        <Fact term="Updated">{updatedAt ? <RelativeTime value={updatedAt} /> : 'Not since it was created'}</Fact>
      </dl>
    </SectionCard>
  );
}

interface FactProps {
  term: string;
  note?: string;
  copy?: { value: string; label: string };
  children: ReactNode;
}

function Fact({ term, note, copy, children }: FactProps) {
  return (
    <div>
      <dt className="text-muted">{term}</dt>
      <dd className="flex items-start gap-2">
        <span className="flex min-w-0 flex-1 flex-col pt-0.5">
          <span className="truncate text-sm text-foreground">{children}</span>
          {note && <span className="text-xs text-muted">{note}</span>}
        </span>
        {copy && <CopyButton size="sm" value={copy.value} label={copy.label} />}
      </dd>
    </div>
  );
}
