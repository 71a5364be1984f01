import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { CopyButton } from '@/app/_kit/copy-button';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { QueryResult } from '@/app/_kit/query-result';
import { schemaResolver } from '@/app/_kit/schema-resolver';
import { toast } from '@/app/_kit/toast';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
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
  const update = useMutation(trpc.blog.updateSettings.mutationOptions());
  const { control } = form;
  const values = form.watch();
  const chosen = languageOf(values);

  const { failure, submit } = useFormSubmit(
    form,
    async (typed) => {
      const answer = await update.mutateAsync({ language: languageOf(typed) });
      queryClient.setQueryData(trpc.blog.settings.queryKey({}), answer);
      onClose();
      toast('Blog settings saved', { description: 'Your blog is up to date.' });
    },
    serverField,
  );

  return (
    <DialogForm
      label="Blog settings"
      submitLabel="Save settings"
      isPending={form.formState.isSubmitting}
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
  const settings = useQuery(trpc.blog.settings.queryOptions({}, { select: ({ data }) => data.settings }));
  return (
    <Dialog isOpen onOpenChange={onClose} title="Blog settings">
      <QueryResult query={settings} failure="Couldn’t load settings" loading="Loading settings" lines={8}>
        {(data) => <BlogSettingsForm settings={data} onClose={onClose} />}
      </QueryResult>
    </Dialog>
  );
}
