import { useMutation } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useMemo } from 'react';
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { FormError } from '@/app/_kit/form-error';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { SectionCard } from '@/app/_kit/section-card';
import { SubmitButton } from '@/app/_kit/submit-button';
import { toast } from '@/app/_kit/toast';
import { UnsavedChangesGuard } from '@/app/_kit/unsaved-changes';
import { useBrowserValue } from '@/app/_kit/use-browser-value';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { zoneChoices } from '@/app/_kit/zone-list';
import { useTRPC } from '@/app/_trpc/client';
import { undoChoices } from '@/server/features/accounts/account.limits';
import type { Account } from '@/server/features/accounts/account.schema';
import type { Language } from '@/server/platform/languages.schema';
import type { EmailFormat } from '@/server/platform/mail/email-formats.schema';
import { useRefreshAccount } from './use-refresh-account';

// Only in the browser, whose list of zones and offsets may differ from the server's.
const ZoneField = dynamic(() => import('@/app/_kit/zone-field').then((module) => module.ZoneField<ProfileValues>), {
  ssr: false,
  loading: () => <div className="h-15" />,
});

interface ProfileValues {
  displayName: string;
  /** '' for none. */
  timeZone: string;
  language: Language;
  /** A number: selects have texts. */
  undoSeconds: string;
  emailFormat: EmailFormat;
}

/** Each in its own language. */
const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

const languageOptions = Object.entries(languageNames).map(([value, label]) => ({ value, label }));

const formatOptions: readonly { value: EmailFormat; label: string }[] = [
  { value: 'markdown', label: 'Formatted text' },
  { value: 'plain', label: 'Plain text' },
];

const undoOptions = undoChoices.map((seconds) => ({
  value: String(seconds),
  label: seconds === 0 ? 'Off' : `${seconds} seconds`,
}));

function valuesOf({ displayName, timeZone, language, undoSeconds, emailFormat }: Account['user']): ProfileValues {
  return { displayName, timeZone: timeZone ?? '', language, undoSeconds: String(undoSeconds), emailFormat };
}

/** The name, the time zone, and the language of emails. */
export function ProfileForm({ user }: { user: Account['user'] }) {
  const trpc = useTRPC();
  const refresh = useRefreshAccount();
  const update = useMutation(trpc.account.updateProfile.mutationOptions());
  const form = useForm<ProfileValues>({ defaultValues: valuesOf(user) });
  const { control, formState } = form;
  const { dirtyFields, isDirty, isSubmitting } = formState;

  const { failure, submit } = useFormSubmit(form, async (values) => {
    // Only what was changed here: the rest may have been changed in another window.
    await update.mutateAsync({
      ...(dirtyFields.displayName ? { displayName: values.displayName } : {}),
      ...(dirtyFields.timeZone ? { timeZone: values.timeZone || null } : {}),
      ...(dirtyFields.language ? { language: values.language } : {}),
      ...(dirtyFields.undoSeconds ? { undoSeconds: undoChoices.find((seconds) => String(seconds) === values.undoSeconds) } : {}),
      ...(dirtyFields.emailFormat ? { emailFormat: values.emailFormat } : {}),
    });
    form.reset(values);
    toast('Profile saved');
    await refresh();
  });

  return (
    <form method="post" onSubmit={submit} noValidate aria-label="Profile">
      <SectionCard
        title="Profile"
        footer={
          <SubmitButton variant="primary" isPending={isSubmitting}>
            Save
          </SubmitButton>
        }
      >
        <div className="flex max-w-sm flex-col gap-4">
          <FormTextField
            control={control}
            name="displayName"
            label="Display name"
            autoComplete="name"
            placeholder={user.email}
            description="What the people you work with see."
          />
          <TimeZone form={form} />
          <FormSelect
            control={control}
            name="language"
            label="Language of emails"
            description="For emails we send to you. Emails to customers aren’t affected."
            options={languageOptions}
          />
          <FormSelect
            control={control}
            name="undoSeconds"
            label="Undo sending"
            description="How long you can take back an email that you send here. It leaves after that."
            options={undoOptions}
          />
          <FormSelect
            control={control}
            name="emailFormat"
            label="Write emails as"
            description="For new emails and replies. You can change it in each of them."
            options={formatOptions}
          />
          <FormError failure={failure} />
        </div>
      </SectionCard>
      <UnsavedChangesGuard isDirty={isDirty && !isSubmitting} subject="your profile" onLeave={() => form.reset()} />
    </form>
  );
}

/** The time zone; the browser's is one click away. */
function TimeZone({ form }: { form: UseFormReturn<ProfileValues> }) {
  const { control, setValue } = form;
  const timeZone = useWatch({ control, name: 'timeZone' });
  const own = useBrowserValue(() => Intl.DateTimeFormat().resolvedOptions().timeZone, '');
  const zones = useMemo(() => zoneChoices(Date.now(), ...[own, timeZone].filter(Boolean)), [own, timeZone]);
  return (
    <div className="flex flex-col gap-1">
      <ZoneField control={control} name="timeZone" zones={zones} isOptional placeholder="Not set (UTC)" />
      {own !== '' && own !== timeZone && (
        <p className="flex flex-wrap items-center gap-x-2 text-label text-muted">
          This browser is in {own.replaceAll('_', ' ')}.
          <Button variant="ghost" size="sm" onPress={() => setValue('timeZone', own, { shouldDirty: true })}>
            Use it
          </Button>
        </p>
      )}
    </div>
  );
}
