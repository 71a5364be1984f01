import type { ReactNode } from 'react';
import { CodeFact, Fact, FactList } from '@/app/_kit/facts';
import { LocalNumber } from '@/app/_kit/local-number';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { AgentDetail, AgentSetup } from '@/server/features/agents/agent.schema';
import { AgentAddresses } from './agent-addresses';

const modeMeanings: Record<AgentSetup['workflow']['mode'], string> = {
  auto: 'Replies automatically',
  draft: 'Drafts replies for approval',
  observe: 'Reads email, never replies',
};

/** Labels of known triggers. Others are shown as they are. */
const triggerLabels: Readonly<Record<string, string>> = {
  'email.received': 'When an email arrives',
};

/** The agent's configuration, read-only. */
export function ConfigurationTab({ agent }: { agent: AgentDetail }) {
  const { workflow, model, tools, context } = agent.config;
  return (
    <>
      <p className="mb-4 max-w-[68ch] text-muted">Edit the agent under Profile and Escalation.</p>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <AgentAddresses agent={agent} />
          <FactCard title="Workflow">
            <Fact term="Mode">{modeMeanings[workflow.mode]}</Fact>
            <Fact term="Triggers">
              {workflow.triggers.length === 0 ? (
                <span className="text-muted">None</span>
              ) : (
                <ul className="flex flex-wrap justify-end gap-x-3 gap-y-1">
                  {workflow.triggers.map((trigger) => (
                    <li key={trigger} className="min-w-0">
                      {triggerLabels[trigger] ?? <CodeFact>{trigger}</CodeFact>}
                    </li>
                  ))}
                </ul>
              )}
            </Fact>
          </FactCard>
          <FactCard title="Tools and context">
            <Fact term="Email">
              <Switch isOn={tools.email.enabled} />
            </Fact>
            <Fact term="Calendar">
              <Switch isOn={tools.calendar.enabled} />
            </Fact>
            <Fact term="Context">
              <Switch isOn={context.enabled} />
            </Fact>
            <Fact term="Context namespace">
              <CodeFact>{context.namespace}</CodeFact>
            </Fact>
          </FactCard>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <FactCard title="Model">
            <Fact term="Provider">
              <CodeFact>{model.provider}</CodeFact>
            </Fact>
            <Fact term="Name">
              <CodeFact>{model.name}</CodeFact>
            </Fact>
            <Fact term="Temperature">
              <LocalNumber value={model.temperature} />
            </Fact>
            <Fact term="Max. response length">
              <span>
                <LocalNumber value={model.maxTokens} /> tokens
              </span>
            </Fact>
          </FactCard>
          <FactCard title="Details">
            <Fact term="Agent ID" copy={{ value: agent.id, label: 'Copy agent ID' }}>
              <CodeFact>{agent.id}</CodeFact>
            </Fact>
            <Fact term="Role ID" copy={{ value: agent.roleId, label: 'Copy role ID' }}>
              <CodeFact>{agent.roleId}</CodeFact>
            </Fact>
            <Fact term="Type">
              <CodeFact>{agent.kind}</CodeFact>
            </Fact>
            <Fact term="Created">
              <RelativeTime value={agent.createdAt} />
            </Fact>
            <Fact term="Updated">{agent.updatedAt === null ? 'Never' : <RelativeTime value={agent.updatedAt} />}</Fact>
          </FactCard>
        </div>
      </div>
    </>
  );
}

function FactCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <SectionCard title={title}>
      <FactList>{children}</FactList>
    </SectionCard>
  );
}

function Switch({ isOn }: { isOn: boolean }) {
  return <StatusBadge tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</StatusBadge>;
}
