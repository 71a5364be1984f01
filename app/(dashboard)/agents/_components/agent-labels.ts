import type { StatusTone } from '@/app/_kit/status-badge';
import type { AgentStatus } from '@/server/features/agents/agent.schema';
import type { executionOutcomes } from '@/server/features/usage/usage.schema';

/** The kinds offered; `own` means that one is typed. */
export const kindOptions = [
  { value: 'inbox-manager', label: 'Inbox manager' },
  { value: 'assistant', label: 'Assistant' },
  { value: 'own', label: 'Custom…' },
] as const;

/** The label of a kind: the offered one, or the text as it was typed. */
export function kindLabel(kind: string): string {
  return kindOptions.find(({ value }) => value === kind)?.label ?? kind;
}

interface StatusLabels {
  label: string;
  tone: StatusTone;
  /** What it means for the agent's work. */
  meaning: string;
}

/** Label and meaning of each status. */
export const statusLabels: Record<AgentStatus, StatusLabels> = {
  active: { label: 'Active', tone: 'success', meaning: 'Accepts new work.' },
  paused: {
    label: 'Paused',
    tone: 'warning',
    meaning: 'Not accepting new work. Settings are kept.',
  },
  archived: { label: 'Archived', tone: 'neutral', meaning: 'Retired. History is kept.' },
};

/** The tone of each outcome of an execution; its text comes from the reporter. */
export const outcomeTones: Record<(typeof executionOutcomes)[number], StatusTone> = {
  active: 'info',
  completed: 'success',
  failed: 'danger',
  cancelled: 'neutral',
  escalated: 'warning',
};

/** "2 tasks in progress", "1 task in progress", "Idle"; `number` is the formatted count. */
export function loadOf(activeTasks: number, number = String(activeTasks)): string {
  if (activeTasks === 0) return 'Idle';
  return `${number} ${activeTasks === 1 ? 'task' : 'tasks'} in progress`;
}

/** A share of 0 to 1 as whole percent. Only exactly 0 and 1 become 0 and 100. */
export function percentOf(share: number): string {
  const percent = Math.round(share * 100);
  const isEnd = share === 0 || share === 1;
  return `${isEnd ? percent : Math.min(99, Math.max(1, percent))}%`;
}

/**
 * Whether a picture can be loaded from an address: a complete https URL. Without a path it is still being typed, and the
 * request would go to an unintended server.
 */
export function isPicture(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname } = new URL(address);
  return protocol === 'https:' && pathname.length > 1;
}
