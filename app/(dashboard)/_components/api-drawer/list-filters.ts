import { agentSearch } from '../../agents/search-params';
import { listInput as calendarList, shownRange } from '../../calendar/_components/view-range';
import { firstDayOf } from '../../calendar/_components/viewer-week';
import { viewerToday } from '../../calendar/_components/zone-clock';
import { calendarSearchParams } from '../../calendar/search-params';
import { customerSearch } from '../../customers/search-params';
import { listInput as conversationList, loadInboxSearch } from '../../inbox/search-params';
import { postSearch } from '../../posts/search-params';

/** Settings from the viewer's window and language that the address does not decide. */
export interface Viewer {
  locale: string;
  isPhone: boolean;
  userId: string;
}

/** The list of the inbox. What is assigned to the person is listed by their id, since `me` means no one for a key. */
function conversationFilters(search: URLSearchParams, { userId }: Viewer): Record<string, unknown> {
  const input = conversationList(loadInboxSearch(search));
  return input.assignee === 'me' ? { ...input, assignee: userId } : input;
}

function calendarFilters(search: URLSearchParams, { locale, isPhone }: Viewer): Record<string, unknown> {
  const { view, date, agent } = calendarSearchParams;
  const shown = view.parse(search.get('view') ?? '') ?? (isPhone ? 'agenda' : 'week');
  const range = shownRange(shown, date.parse(search.get('date') ?? '') ?? viewerToday(), firstDayOf(locale));
  return calendarList(range, agent.parse(search.get('agent') ?? '') ?? '');
}

/** The input with which the current page requests its list, by operation; empty for a page without one. */
export function listFiltersOf(
  pathname: string,
  search: URLSearchParams,
  viewer: Viewer,
): Record<string, Record<string, unknown>> {
  if (pathname === '/customers') return { 'customers-list': customerSearch.input(customerSearch.load(search)) };
  if (pathname === '/agents') return { 'agents-list': agentSearch.input(agentSearch.load(search)) };
  if (pathname === '/posts') return { 'blog-list': postSearch.input(postSearch.load(search)) };
  if (pathname === '/inbox') return { 'conversations-list': conversationFilters(search, viewer) };
  if (pathname === '/calendar') return { 'calendar-list': calendarFilters(search, viewer) };
  return {};
}
