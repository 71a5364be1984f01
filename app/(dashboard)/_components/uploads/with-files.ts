import type { UseFormReturn } from 'react-hook-form';
import type { Upload } from '@/server/features/conversations/message.schema';

/** The values of a form to which files are attached, once they are uploaded. */
export interface WithFiles {
  attachments: Pick<Upload, 'id' | 'filename' | 'contentType' | 'size'>[];
}

/** A form, as those see it who care for its files only. */
export function filesOf<Values extends WithFiles>(form: UseFormReturn<Values>): UseFormReturn<WithFiles> {
  // A form may not be used as one with fewer fields, since its reset would lack the others; nothing here resets it.
  return form as unknown as UseFormReturn<WithFiles>;
}
