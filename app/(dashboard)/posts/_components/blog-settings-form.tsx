'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { useFormErrors } from '@/app/_kit/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogSettings } from '@/server/features/blog/blog-site.schema';
import {
  type LanguageValues,
  languageEffect,
  languageName,
  languageOf,
  languageOptions,
  languageSchema,
  otherLanguage,
  toLanguageValues,
} from './blog-languages';
import { FeedAddresses } from './feed-addresses';

const resolver = schemaResolver<LanguageValues>(async () => languageSchema);
const serverField = (path: string) => (path === 'language' ? 'tag' : path);

interface BlogSettingsFormProps {
  settings: BlogSettings;
  onClose: () => void;
}

/** The language of the posts, and the addresses that come with the blog. */
export function BlogSettingsForm({ settings: { language, siteUrl }, onClose }: BlogSettingsFormProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm<LanguageValues>({ defaultValues: toLanguageValues(language), resolver });
  const { failure, showError, clearFailure } = useFormErrors(form, serverField);
  const update = useMutation(
    trpc.blog.updateSettings.mutationOptions({
      onSuccess: (answer) => queryClient.setQueryData(trpc.blog.settings.queryKey({}), answer),
    }),
  );
  const { control } = form;
  const values = form.watch();
  const chosen = languageOf(values);

  const submit = form.handleSubmit((typed) => {
    if (update.isPending) return;
    clearFailure();
    update.mutate(
      { language: languageOf(typed) },
      {
        onSuccess: () => {
          onClose();
          toast('Blog settings saved', { description: 'The public pages follow them at once.' });
        },
        onError: showError,
      },
    );
  });

  return (
    <DialogForm
      label="Blog settings"
      submitLabel="Save settings"
      isPending={update.isPending}
      failure={failure}
      onSubmit={submit}
      onCancel={onClose}
    >
      <FormSelect
        control={control}
        name="choice"
        label="Language of the posts"
        options={languageOptions}
        description={`Tells browsers, translators and search engines what they read. ${languageEffect(chosen)}`.trim()}
      />
      {values.choice === otherLanguage && (
        <FormTextField
          control={control}
          name="tag"
          label="Language code"
          placeholder="de-CH"
          description={languageName(chosen) || 'As in BCP 47: ga, or with script or region sr-Latn, de-CH.'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          mono
          isRequired
        />
      )}
      <FeedAddresses siteUrl={siteUrl} />
    </DialogForm>
  );
}
