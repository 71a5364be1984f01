import { RotateCw, X } from 'lucide-react';
import { type UseFormReturn, useFormState, useWatch } from 'react-hook-form';
import { IconButton } from '@/app/_kit/icon-button';
import { formatSize } from '../../inbox/_components/conversation-labels';
import { AttachmentIcon } from './attachment-icon';
import type { PendingUpload, Uploads } from './use-uploads';
import type { WithFiles } from './with-files';

interface AttachmentListProps {
  form: UseFormReturn<WithFiles>;
  uploads: Uploads;
  /** The ids of attachments that are not listed, such as pictures in a text. */
  shownElsewhere?: ReadonlySet<string> | undefined;
}

const chipClass = 'relative flex min-h-9 max-w-full items-center gap-2 overflow-hidden rounded-md border pl-2.5 text-label';

/** The files of a form: those that are attached, being uploaded, or can't be attached. */
export function AttachmentList({ form, uploads, shownElsewhere }: AttachmentListProps) {
  const { control, setValue, clearErrors } = form;
  const attachments = useWatch({ control, name: 'attachments' });
  const { errors } = useFormState({ control, name: 'attachments' });
  const ofList = errors.attachments?.message ?? errors.attachments?.root?.message;
  const remove = (id: string) => {
    clearErrors('attachments');
    setValue(
      'attachments',
      attachments.filter((attachment) => attachment.id !== id),
      { shouldDirty: true },
    );
  };
  if (attachments.length + uploads.pending.length === 0) return null;
  return (
    <div>
      <ul aria-label="Attachments" className="flex flex-wrap gap-2 empty:hidden">
        {attachments.map((attachment, index) => {
          const { id, filename, size } = attachment;
          // The only reason: it was not sent within a day.
          const isGone = errors.attachments?.[index] !== undefined;
          if (shownElsewhere?.has(id) && !isGone) return null;
          return (
            <li key={id} className={`${chipClass} ${isGone ? 'border-danger' : 'border-border'}`}>
              <AttachmentIcon attachment={attachment} className="size-4 shrink-0 text-muted" />
              <span title={filename} className="max-w-56 truncate">
                {filename}
              </span>
              <span className={`shrink-0 text-xs ${isGone ? 'text-danger-text' : 'text-muted'}`}>
                {isGone ? 'No longer available. Attach it again.' : formatSize(size)}
              </span>
              <IconButton label={`Remove ${filename}`} hint="Remove" onPress={() => remove(id)}>
                <X aria-hidden />
              </IconButton>
            </li>
          );
        })}
        {uploads.pending.map((upload) => (
          <PendingChip key={upload.key} upload={upload} uploads={uploads} />
        ))}
      </ul>
      {ofList && <p className="mt-1 text-label text-danger-text">Attachments {ofList}.</p>}
    </div>
  );
}

function PendingChip({ upload, uploads }: { upload: PendingUpload; uploads: Uploads }) {
  const { key, file, progress, problem, canRetry } = upload;
  const attachment = { filename: file.name, contentType: file.type };
  return (
    <li className={`${chipClass} ${problem === null ? 'border-border' : 'border-danger'}`}>
      <AttachmentIcon attachment={attachment} className="size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-col py-1">
        <span title={file.name} className="max-w-56 truncate">
          {file.name}
        </span>
        {problem !== null && (
          <span role="alert" className="text-xs text-danger-text">
            {problem}
          </span>
        )}
      </span>
      {problem === null && (
        <>
          <span className="shrink-0 text-xs text-muted tabular-nums">{Math.floor(progress * 100)} %</span>
          <progress
            aria-label={`Upload of ${file.name}`}
            value={progress}
            className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none bg-transparent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
          />
        </>
      )}
      <span className="flex shrink-0">
        {problem !== null && canRetry && (
          <IconButton label={`Upload ${file.name} again`} hint="Try again" onPress={() => uploads.retry(key)}>
            <RotateCw aria-hidden />
          </IconButton>
        )}
        <IconButton
          label={problem === null ? `Cancel the upload of ${file.name}` : `Remove ${file.name}`}
          hint={problem === null ? 'Cancel' : 'Remove'}
          onPress={() => uploads.remove(key)}
        >
          <X aria-hidden />
        </IconButton>
      </span>
    </li>
  );
}
