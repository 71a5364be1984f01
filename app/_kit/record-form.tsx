import type { ReactNode } from 'react';
import { type FieldValues, FormProvider } from 'react-hook-form';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { ReadOnlyFields, ReadOnlyNote } from './read-only';
import { SaveBar } from './save-bar';
import { UnsavedChangesGuard } from './unsaved-changes';
import { usePermission } from './use-permission';
import type { useRecordForm } from './use-record-form';

interface RecordFormProps<Values extends FieldValues> {
  record: ReturnType<typeof useRecordForm<Values>>;
  /** The accessible name. */
  label: string;
  /** What has changes, for the question before they are lost: "this customer". */
  subject: string;
  /** False once losing changes no longer matters. */
  isGuarded?: boolean;
  /** What saving needs; without it the fields can only be read. */
  needs: Permission;
  children: ReactNode;
}

/** The form of `useRecordForm`: its fields, the bar that saves it, and the question before changes are lost. */
export function RecordForm<Values extends FieldValues>(props: RecordFormProps<Values>) {
  const { record, label, subject, isGuarded = true, needs, children } = props;
  const { form, formProps, isDirty, forgetDraft, discard } = record;
  const { isAllowed } = usePermission(needs);
  return (
    <FormProvider {...form}>
      <form {...formProps} aria-label={label} className="flex min-w-0 flex-col gap-6">
        <ReadOnlyNote needs={needs} />
        <ReadOnlyFields needs={needs}>{children}</ReadOnlyFields>
        {isAllowed && <SaveBar {...record} onDiscard={discard} />}
      </form>
      <UnsavedChangesGuard isDirty={isDirty && isGuarded && isAllowed} subject={subject} onLeave={forgetDraft} />
    </FormProvider>
  );
}
