import { CodeFact, Fact, FactList } from '@/app/_kit/facts';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import type { IdentityRecord } from '@/server/features/identity/identity.schema';

const scopes: Record<IdentityRecord['scope'], string> = {
  business: 'Business: it speaks for a company.',
  identity: 'Identity: it speaks for one person.',
};

/** What others know the identity by. */
export function IdentityFacts({ identity }: { identity: IdentityRecord }) {
  const { handle, address, scope, id, createdAt, updatedAt } = identity;
  return (
    <SectionCard title="Identity" description="Links, mail and integrations that are out in the world depend on these.">
      <FactList>
        <Fact term="Handle" note="The name in public addresses of this business." copy={{ value: handle, label: 'Copy handle' }}>
          <CodeFact>{handle}</CodeFact>
        </Fact>
        <Fact
          term="Main address"
          note={
            address
              ? 'Mail to it reaches this business. To change it, prove a further address and use that one.'
              : 'To get one, prove a further address and use it as main address.'
          }
          {...(address ? { copy: { value: address, label: 'Copy main address' } } : {})}
        >
          <span className="truncate" title={address ?? undefined}>
            {address ?? 'None yet'}
          </span>
        </Fact>
        <Fact term="Scope" note={scopes[scope]}>
          <CodeFact>{scope}</CodeFact>
        </Fact>
        <Fact term="Identity id" copy={{ value: id, label: 'Copy identity id' }}>
          <CodeFact>{id}</CodeFact>
        </Fact>
        <Fact term="Created">
          <RelativeTime value={createdAt} />
        </Fact>
        <Fact term="Updated">{updatedAt ? <RelativeTime value={updatedAt} /> : 'Not since it was created'}</Fact>
      </FactList>
    </SectionCard>
  );
}
