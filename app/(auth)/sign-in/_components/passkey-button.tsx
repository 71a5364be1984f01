import { KeyRound } from 'lucide-react';
import { PendingButton } from '@/app/_kit/pending-button';

interface PasskeyButtonProps {
  label: string;
  isPrimary?: boolean;
  isPending: boolean;
  isDisabled: boolean;
  onPress: () => void;
}

/** Opens the browser's prompt for a passkey. */
export function PasskeyButton({ label, isPrimary = false, isPending, isDisabled, onPress }: PasskeyButtonProps) {
  return (
    <PendingButton
      variant={isPrimary ? 'primary' : 'secondary'}
      fullWidth
      isPending={isPending}
      isDisabled={isDisabled}
      onPress={onPress}
    >
      <KeyRound aria-hidden />
      {label}
    </PendingButton>
  );
}
