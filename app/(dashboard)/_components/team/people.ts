import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import type { MemberList } from '@/server/features/team/team.schema';

/** The members of the team: their names by id. */
export type People = ReadonlyMap<string, string>;

/** Members who have joined; two with the same name are told apart by their addresses. */
export function peopleOf({ members }: MemberList): People {
  const active = members.flatMap(({ userId, displayName, email = '' }) =>
    userId === null ? [] : [{ userId, email, name: displayName.trim() || email }],
  );
  const isShared = (name: string) => active.filter((member) => member.name === name).length > 1;
  return new Map(active.map(({ userId, email, name }) => [userId, isShared(name) ? `${name} (${email})` : name]));
}

/** The names of the team's members; null until they are known. Loaded with the first field that needs them. */
export function usePeople(): People | null {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.members.list.queryOptions({}, { select: peopleOf }));
  return data ?? null;
}
