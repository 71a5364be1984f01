import type { CreateAgentInput, UpdateAgentInput } from '@/server/features/agents/agent.schema';
import type { EscalationRouteInput } from '@/server/features/agents/escalation.schema';

/** The agents of Harbor Lane Bicycles, and whom they ask. */
export interface DemoAgent extends CreateAgentInput {
  changes: Omit<UpdateAgentInput, 'agentId'>;
  routes: EscalationRouteInput[];
  /** What it mostly does, for its executions and tokens. */
  operations: readonly string[];
  model: string;
  /** Its part of the business' work, against the others'. */
  share: number;
}

const nobody = { email: null, phone: null, slack: null };

function route(level: number, changes: Partial<EscalationRouteInput>): EscalationRouteInput {
  return { level, timeoutMins: 60, toRole: null, toUserId: null, channels: ['email'], contactInfo: nobody, ...changes };
}

/** The first one exists already: every identity has it from the start. */
export const demoAgents: readonly DemoAgent[] = [
  {
    name: 'Inbox manager',
    roleId: 'inbox-manager',
    kind: 'inbox-manager',
    changes: {
      tags: ['first line'],
      persona: {
        tone: 'Warm, brief, never pushy',
        traits: ['welcoming', 'precise', 'calm'],
        bio: 'Reads everything that arrives at hello@, answers what it can, and hands the rest to the one who knows.',
        signature: 'With a tailwind\nYour Harbor Lane team\n+49 40 555 120 00',
        avatarEmoji: '📮',
      },
    },
    routes: [
      route(1, {
        label: 'Mara, front desk',
        timeoutMins: 15,
        channels: ['email', 'in_app'],
        contactInfo: { ...nobody, email: 'mara@harborlane.example' },
        instructions: 'Opening hours only; say which customer and what they asked for.',
      }),
      route(2, {
        label: 'Jonas, on duty',
        timeoutMins: 30,
        channels: ['sms'],
        contactInfo: { ...nobody, phone: '+494055512007' },
      }),
    ],
    operations: ['triage', 'reply', 'summarize'],
    model: 'claude-sonnet',
    share: 5,
  },
  {
    name: 'Workshop planner',
    roleId: 'workshop-planner',
    kind: 'assistant',
    changes: {
      tags: ['workshop'],
      persona: {
        tone: 'Practical; dates and times first',
        traits: ['organised', 'patient'],
        bio: 'Finds a slot in the workshop, confirms it, and reminds people to bring the key of the lock.',
        signature: 'See you at the stand\nWorkshop planning, Harbor Lane',
        avatarEmoji: '🔧',
      },
    },
    routes: [
      route(1, {
        label: 'Workshop floor',
        timeoutMins: 20,
        channels: ['slack', 'in_app'],
        contactInfo: { ...nobody, slack: '#workshop' },
      }),
      route(2, {
        label: 'Head mechanic',
        timeoutMins: 45,
        channels: ['email', 'sms'],
        contactInfo: { email: 'tilda@harborlane.example', phone: '+494055512014', slack: null },
      }),
      route(3, { label: 'Whoever owns the shop', timeoutMins: 120 }),
    ],
    operations: ['schedule', 'reply', 'remind'],
    model: 'claude-haiku',
    share: 4,
  },
  {
    name: 'Fleet advisor',
    roleId: 'fleet-advisor',
    kind: 'assistant',
    changes: {
      tags: ['fleet', 'company'],
      persona: {
        tone: 'Businesslike, with figures',
        traits: ['thorough', 'courteous'],
        bio: 'Looks after the company fleets: offers, monthly reports, replacement bikes.',
        signature: 'Best regards\nFleet care, Harbor Lane Bicycles',
        avatarEmoji: '🚲',
      },
    },
    routes: [route(1, { label: 'Fleet lead', timeoutMins: 60, contactInfo: { ...nobody, email: 'sales@harborlane.example' } })],
    operations: ['offer', 'reply', 'report'],
    model: 'claude-sonnet',
    share: 2,
  },
  {
    name: 'Review collector',
    roleId: 'review-collector',
    kind: 'outreach',
    changes: {
      status: 'paused',
      persona: {
        tone: 'Light-hearted',
        traits: ['grateful'],
        bio: 'Asks for a word on the work two weeks after a repair. Paused over the winter.',
        signature: 'Thank you\nHarbor Lane',
        avatarEmoji: '⭐',
      },
    },
    routes: [],
    operations: ['ask'],
    model: 'claude-haiku',
    share: 0.4,
  },
  {
    name: 'Spring campaign 2025',
    roleId: 'spring-campaign',
    kind: 'outreach',
    changes: {
      status: 'archived',
      persona: { tone: 'Cheerful', bio: 'Told everybody about the spring tune-up.', avatarEmoji: '🌷' },
    },
    routes: [],
    operations: ['announce'],
    model: 'claude-haiku',
    share: 0,
  },
];
