'use client';

import { useQuery } from '@tanstack/react-query';
import { QueryResult } from '@/app/_kit/query-result';
import { useTRPC } from '@/app/_trpc/client';
import { PhotoSetting } from './photo-setting';
import { ProfileForm } from './profile-form';

/** The name, photo, time zone and language of the signed-in person. */
export function ProfileSettings() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  return (
    <QueryResult query={account} failure="Couldn’t load your profile" loading="Loading your profile">
      {({ user }) => (
        <>
          <PhotoSetting user={user} />
          <ProfileForm user={user} />
        </>
      )}
    </QueryResult>
  );
}
