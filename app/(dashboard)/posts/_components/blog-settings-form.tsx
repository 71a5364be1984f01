'use client';

import { Button } from '@heroui/react/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { toast } from 'sonner';
import { FormError } from '@/app/_components/form-error';
import { FormTextField } from '@/app/_components/form-fields';
import { FormSelect } from '@/app/_components/form-select';
import { PendingButton } from '@/app/_components/pending-button';
import { schemaResolver } from '@/app/_components/schema-resolver';
import { useFormErrors } from '@/app/_components/use-form-errors';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogSettings } from '@/server/modules/blog/blog-site.schema';
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

const resolver = schemaResolver<LanguageValues>(languageSchema);
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
    <form method="post" onSubmit={submit} noValidate aria-label="Blog settings" className="flex flex-col gap-5">
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
      <FormError failure={failure} />
      <div className="flex justify-end gap-2">
        <Button variant="secondary" onPress={onClose} isDisabled={update.isPending}>
          Cancel
        </Button>
        <PendingButton type="submit" variant="primary" isPending={update.isPending}>
          Save settings
        </PendingButton>
      </div>
    </form>
  );
}
