import { CalendarDays } from 'lucide-react';
import { newRequest } from '@/app/_kit/use-new-request';
import type { Section } from '../_components/section';

export const calendarSection: Section = {
  entry: { href: '/calendar', label: 'Calendar', icon: CalendarDays, group: 'main', letter: 'c' },
  creates: { meaning: 'New event', href: `/calendar?${newRequest}`, on: '/calendar', needs: 'calendar:write' },
  records: {
    event: { label: 'Events', icon: CalendarDays, unnamed: 'Event', href: (id) => `/calendar?event=${id}` },
  },
  calls: [{ path: '/calendar', selection: { tag: 'Calendar', record: 'eventId', isAboutRecord: false } }],
};
