import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '@/app/_kit/icon-button';

/** Picks files. */
export function AttachButton({ isDisabled, onFiles }: { isDisabled: boolean; onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label="Attach files" isDisabled={isDisabled} onPress={() => input.current?.click()}>
        <Paperclip aria-hidden />
      </IconButton>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
