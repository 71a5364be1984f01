import { Download, KeyRound } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { CopyButton } from '@/app/_kit/copy-button';
import { SectionCard } from '@/app/_kit/section-card';

function download(codes: readonly string[]): void {
  const link = document.createElement('a');
  const text = `Frontdesk recovery codes for ${window.location.host}\nEach works once.\n\n${codes.join('\n')}\n`;
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = 'frontdesk-recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(link.href);
}

interface RecoveryCodesProps {
  title: string;
  description?: string;
  codes: readonly string[];
  onClose: () => void;
}

const usualDescription = 'Use one of these codes to sign in if you lose your phone or your passkeys. Each works once.';

/** Shows recovery codes, which is possible only once. */
export function RecoveryCodes({ title, description = usualDescription, codes, onClose }: RecoveryCodesProps) {
  return (
    <SectionCard
      title={title}
      description={description}
      footer={
        <Button variant="primary" onPress={onClose}>
          I saved these codes
        </Button>
      }
    >
      <p className="flex gap-2 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
        <KeyRound aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>Save the codes now, in a password manager or on paper. We can’t show them again.</span>
      </p>
      <ul
        aria-label="Recovery codes"
        className="mt-4 grid max-w-xl grid-cols-1 gap-x-8 gap-y-1.5 rounded-md border border-border bg-background-secondary px-4 py-3 font-mono text-label select-all sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap gap-2">
        <CopyButton value={codes.join('\n')} label="Copy codes" showLabel size="sm" variant="secondary" />
        <Button variant="secondary" size="sm" onPress={() => download(codes)}>
          <Download aria-hidden />
          Download codes
        </Button>
      </div>
    </SectionCard>
  );
}
