'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { errorFacts } from '@/app/_kit/error-facts';
import { RelativeTime } from '@/app/_kit/relative-time';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';

/** Asks before a key stops for good, and says who would notice. */
export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyRecord; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const revoke = useMutation(
    trpc.apiKeys.revoke.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.apiKeys.list.queryFilter());
        onClose();
      },
      onError: (error) => toast.error(`The key was not revoked. ${errorFacts(error).message}`),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Revoke ${apiKey.name}?`}
      description={
        <>
          Whatever uses {apiKey.prefix}…{apiKey.last4} is refused within a second. This cannot be undone.{' '}
          {apiKey.lastUsedAt === null ? (
            'It was never used.'
          ) : (
            <>
              It was last used <RelativeTime value={apiKey.lastUsedAt} />.
            </>
          )}
        </>
      }
      confirmLabel="Revoke key"
      tone="danger"
      isPending={revoke.isPending}
      onConfirm={() => revoke.mutate({ id: apiKey.id })}
    />
  );
}
