import type { TypeGroup } from '../../events/_components/event-labels';

/** The patterns of a webhook as checkboxes: everything, groups, and types. */

type Group = TypeGroup<{ type: string }>;

export const everything = '*';
const groupPattern = ({ group }: Group): string => `${group}.*`;

/** Whether a checkbox is checked, because of itself or because of one above. */
export interface Checked {
  isChecked: boolean;
  /** True if it is checked because of one above, so that it can't be unchecked. */
  isImplied: boolean;
}

const checked = (own: boolean, isImplied: boolean): Checked => ({ isChecked: own || isImplied, isImplied });

export function isGroupChecked(chosen: readonly string[], group: Group): Checked {
  return checked(chosen.includes(groupPattern(group)), chosen.includes(everything));
}

export function isTypeChecked(chosen: readonly string[], group: Group, type: string): Checked {
  const own = chosen.some((pattern) => pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))));
  const isImplied = isGroupChecked(chosen, group).isChecked || (own && !chosen.includes(type));
  return checked(own, isImplied);
}

/** Everything instead of all else, or nothing. */
export function withEverything(isChosen: boolean): string[] {
  return isChosen ? [everything] : [];
}

/** All events of a group instead of some of them, or none. */
export function withGroup(chosen: readonly string[], group: Group, isChosen: boolean): string[] {
  const others = chosen.filter((pattern) => !pattern.startsWith(`${group.group}.`));
  return isChosen ? [...others, groupPattern(group)] : others;
}

export function withType(chosen: readonly string[], type: string, isChosen: boolean): string[] {
  const others = chosen.filter((pattern) => pattern !== type);
  return isChosen ? [...others, type] : others;
}
