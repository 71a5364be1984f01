import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type {
  NotificationKind,
  NotificationSettings,
  UpdateNotificationSettingsInput,
} from '@/server/features/notifications/notification.schema';

/** The settings with changes that the server has not confirmed yet. */
function changed(
  settings: NotificationSettings,
  { channels = {}, quietHours }: UpdateNotificationSettingsInput,
): NotificationSettings {
  const kinds = Object.entries(settings.channels) as [NotificationKind, NotificationSettings['channels'][NotificationKind]][];
  return {
    ...settings,
    channels: Object.fromEntries(
      kinds.map(([kind, known]) => [kind, { ...known, ...channels[kind] }]),
    ) as NotificationSettings['channels'],
    quietHours: quietHours === undefined ? settings.quietHours : quietHours,
  };
}

const mutationKey = ['change notification settings'];

/** Saves each change at once. It is shown immediately, and taken back if it fails. */
export function useUpdateSettings() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const queryKey = trpc.notifications.settings.queryKey({});
  return useMutation({
    ...trpc.notifications.updateSettings.mutationOptions({
      // One after another, so that the last answer has all changes.
      scope: { id: 'notification-settings' },
      onMutate: async (changes) => {
        await queryClient.cancelQueries({ queryKey });
        queryClient.setQueryData<NotificationSettings>(queryKey, (known) => known && changed(known, changes));
      },
      onError: (error) => toast.failure('Couldn’t save the setting.', error),
      onSettled: () => {
        // While another change is pending, a refetched response without it would visibly undo it.
        if (queryClient.isMutating({ mutationKey }) > 1) return;
        void queryClient.invalidateQueries({ queryKey });
      },
    }),
    mutationKey,
  });
}
