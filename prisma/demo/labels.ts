import type { LabelColor } from '@/server/features/conversations/label.limits';
import { createLabel, listLabels } from '@/server/features/conversations/label.service';
import type { SystemActor } from '@/server/platform/actor';

const demoLabels = { Repair: 'orange', Fleet: 'blue', Invoice: 'purple', Order: 'green' } as const satisfies Record<
  string,
  LabelColor
>;

export type DemoLabel = keyof typeof demoLabels;

/** Adds the labels that a business has none of yet. @returns the ids of all, by name */
export async function seedLabels(actor: SystemActor): Promise<Map<string, string>> {
  const ids = new Map((await listLabels(actor)).labels.map(({ id, name }) => [name, id]));
  for (const [name, color] of Object.entries(demoLabels)) {
    if (!ids.has(name)) ids.set(name, (await createLabel(actor, { name, color })).id);
  }
  return ids;
}
