import type { People } from '../../_components/team/people';

/** The choices for the person of a step, with the one it has already, even if that one is unknown. */
export function personOptions(people: People | null, current: string): { value: string; label: string }[] {
  const known = [...(people ?? [])].map(([value, label]) => ({ value, label }));
  const isListed = current === '' || people?.has(current);
  const other = { value: current, label: people ? `Unknown person: ${current}` : current };
  return [{ value: '', label: 'No one in particular' }, ...known, ...(isListed ? [] : [other])];
}
