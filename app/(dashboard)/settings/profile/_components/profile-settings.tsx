'use client';

import { useQuery } from '@tanstack/react-query';
import { QueryResult } from '@/app/_kit/query-result';
import { useTRPC } from '@/app/_trpc/client';
import { PhotoSetting } from './photo-setting';
import { ProfileForm } from './profile-form';
import { SignatureForm } from './signature-form';

/** The name, photo, time zone, language and signature of the signed-in person. */
export function ProfileSettings() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  const signature = useQuery(trpc.members.signature.queryOptions({}));
  return (
    <>
      <QueryResult query={account} failure="Couldn’t load your profile" loading="Loading your profile">
        {({ user }) => (
          <>
            <PhotoSetting user={user} />
            <ProfileForm user={user} />
          </>
        )}
      </QueryResult>
      <QueryResult query={signature} failure="Couldn’t load your signature" loading="Loading your signature" lines={3}>
        {(own) => <SignatureForm {...own} />}
      </QueryResult>
    </>
  );
}
