import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button';
import { toast } from './toast';

interface CopyButtonProps {
  value: string;
  /** What is copied, for screen readers and as the tooltip; e.g. "Copy key". */
  label?: string;
  /** Shows the label instead of only the icon. */
  showLabel?: boolean;
  size?: 'sm' | 'md';
  variant?: 'ghost' | 'secondary' | 'primary';
}

/** `navigator.clipboard` exists only on https and localhost; installations on plain http need the older API. */
export async function copyText(value: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(value).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = value;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // Inside an open dialog the focus is trapped, so the field has to be inside it.
  const host = document.querySelector('[role="dialog"], [role="alertdialog"]') ?? document.body;
  host.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

/** Shown where the browser refuses to copy. */
export const copyFailed = 'Couldn’t copy. Select the text and copy it manually.';

/** Copies a value, and confirms it on the button for two seconds. */
export function CopyButton({ value, label = 'Copy', showLabel = false, size = 'md', variant = 'ghost' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    if (await copyText(value)) setCopied(true);
    else toast.error(copyFailed);
  };

  return (
    // See IconButton: HeroUI's button takes no `title`.
    <span title={showLabel ? undefined : label} className="contents">
      <Button
        variant={variant}
        size={size}
        isIconOnly={!showLabel}
        aria-label={copied ? 'Copied' : label}
        onPress={() => void copy()}
      >
        {copied ? <Check aria-hidden className="text-success-text" /> : <Copy aria-hidden />}
        {showLabel && (copied ? 'Copied' : label)}
        <span role="status" className="sr-only">
          {copied ? 'Copied' : ''}
        </span>
      </Button>
    </span>
  );
}
