'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { CopyButton } from '@/app/_kit/copy-button';
import { DialogForm } from '@/app/_kit/dialog-form';
import { ErrorState } from '@/app/_kit/error-state';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
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

const feeds = [
  { label: 'RSS', file: 'feed.xml' },
  { label: 'Atom', file: 'atom.xml' },
  { label: 'JSON Feed', file: 'feed.json' },
  { label: 'Sitemap', file: 'sitemap.xml' },
] as const;

/** The addresses of the blog's feeds. */
function FeedAddresses({ siteUrl }: { siteUrl: string }) {
  const { pathname } = new URL(siteUrl);
  return (
    <section aria-labelledby="feed-addresses">
      <h3 id="feed-addresses" className="text-label font-medium">
        Feeds and sitemap
      </h3>
      <p className="mt-0.5 mb-2 text-label text-muted">
        Feeds for readers and search engines. Most apps find them automatically.
      </p>
      <ul className="rounded-md border border-border">
        {feeds.map(({ label, file }) => {
          const address = `${siteUrl}/${file}`;
          return (
            <li key={file} className="flex items-center gap-3 border-b border-separator py-0.5 pr-0.5 pl-3 last:border-b-0">
              <span className="w-18 shrink-0 text-label">{label}</span>
              <code title={address} className="min-w-0 flex-1 truncate font-mono text-xs text-muted">
                {/* A phone has room for the part that differs. */}
                <span className="max-sm:hidden">{pathname}/</span>
                {file}
              </code>
              <CopyButton value={address} label={`Copy ${label} URL`} size="sm" />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

const resolver = schemaResolver<LanguageValues>(async () => languageSchema);
const serverField = (path: string) => (path === 'language' ? 'tag' : path);

interface BlogSettingsFormProps {
  settings: BlogSettings;
  onClose: () => void;
}

/** The language of the posts, and the addresses of the blog. */
function BlogSettingsForm({ settings: { language, siteUrl }, onClose }: BlogSettingsFormProps) {
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
          toast('Blog settings saved', { description: 'Your blog is up to date.' });
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
        label="Language"
        options={languageOptions}
        description={`Helps browsers and search engines. ${languageEffect(chosen)}`.trim()}
      />
      {values.choice === otherLanguage && (
        <FormTextField
          control={control}
          name="tag"
          label="Language code"
          placeholder="de-CH"
          description={languageName(chosen) || 'For example ga, sr-Latn or de-CH.'}
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

/** Settings of the whole blog. */
export function BlogSettingsDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { data, error, refetch, isFetching } = useQuery(
    trpc.blog.settings.queryOptions({}, { select: ({ data }) => data.settings }),
  );
  return (
    <Dialog isOpen onOpenChange={onClose} title="Blog settings">
      {data ? (
        <BlogSettingsForm settings={data} onClose={onClose} />
      ) : error && !isFetching ? (
        <ErrorState error={error} onRetry={() => void refetch()} title="Couldn’t load settings" />
      ) : (
        <SkeletonLines lines={8} shape="text" label="Loading settings" />
      )}
    </Dialog>
  );
}
