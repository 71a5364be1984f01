import { agentsSection } from '../agents/section';
import { apiKeysSection } from '../api-keys/section';
import { auditSection } from '../audit/section';
import { calendarSection } from '../calendar/section';
import { customersSection } from '../customers/section';
import { identitySection } from '../identity/section';
import { inboxSection } from '../inbox/section';
import { outboxSection } from '../outbox/section';
import { postsSection } from '../posts/section';
import { quarantineSection } from '../quarantine/section';
import { homeSection } from '../section';
import { settingsSection } from '../settings/section';
import { usageSection } from '../usage/section';
import type { Section } from './section';

/** The parts of the dashboard, in the order of the navigation. */
export const sections: readonly Section[] = [
  homeSection,
  inboxSection,
  calendarSection,
  customersSection,
  agentsSection,
  postsSection,
  usageSection,
  outboxSection,
  quarantineSection,
  identitySection,
  apiKeysSection,
  auditSection,
  settingsSection,
];
