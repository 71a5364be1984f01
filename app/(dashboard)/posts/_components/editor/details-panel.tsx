import { useQuery } from '@tanstack/react-query';
import { TriangleAlert, X } from 'lucide-react';
import { useEffect } from 'react';
import { type Control, type FieldPath, type UseFormReturn, useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { CopyButton } from '@/app/_kit/copy-button';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { FormSelect } from '@/app/_kit/form-select';
import { HistoryLink } from '@/app/_kit/history-link';
import { IconButton } from '@/app/_kit/icon-button';
import { isSame } from '@/app/_kit/is-same';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { ReadOnlyFields } from '@/app/_kit/read-only';
import { FormTagInput } from '@/app/_kit/tag-input';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { descriptionLength } from '../post-labels';
import { useBlogOverview } from '../use-blog-overview';
import { CoverField } from './cover-field';
import type { PostSession } from './post-session';
import { type DetailsValues, fromDetails, toDetails } from './post-values';
import { useEditPermission } from './use-edit-permission';
import { usePostView } from './use-post-session';

// Loaded on demand: below all fields, in the heaviest page.
const SharePreviews = onDemandComponent(() => import('./share-previews').then((module) => module.SharePreviews));

interface DetailsProps {
  session: PostSession;
  preview: BlogPostPreview | null;
  /** Name of the blog. */
  siteName: string;
}

interface DetailsPanelProps extends DetailsProps {
  id: string;
  /** True on a window wide enough for a drawer; else it is a sheet. */
  isDrawer: boolean;
  onClose: () => void;
}

/** All fields of a post besides title and text, in a drawer on the right; on a phone, in a sheet. */
export function DetailsPanel({ id, isDrawer, onClose, ...details }: DetailsPanelProps) {
  if (!isDrawer) {
    return (
      <Dialog
        isOpen
        onOpenChange={onClose}
        title="Details"
        size="lg"
        footer={
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        <Details {...details} />
      </Dialog>
    );
  }
  return (
    <aside
      id={id}
      aria-labelledby={`${id}-title`}
      className="flex w-88 shrink-0 flex-col border-l border-border bg-background max-[90rem]:absolute max-[90rem]:inset-y-0 max-[90rem]:right-0 max-[90rem]:z-10 max-[90rem]:shadow-overlay"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <div className="flex h-11 shrink-0 items-center justify-between border-b border-border pr-2 pl-5">
        <h2 id={`${id}-title`} className="text-sm font-semibold">
          Details
        </h2>
        <IconButton label="Close details" onPress={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        <Details {...details} />
      </div>
    </aside>
  );
}

function Details({ session, preview, siteName }: DetailsProps) {
  const form = useDetailsForm(session);
  const overview = useBlogOverview();
  const values = usePostView(session, (view) => view.values);
  const postId = usePostView(session, (view) => view.post?.id);
  const needs = useEditPermission(session);
  const description = values.metaDescription.trim() || values.excerpt.trim() || preview?.description || '';
  const { control } = form;
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => event.preventDefault()}
      onBlur={session.saveSoon}
      noValidate
      aria-label="Details"
    >
      <ReadOnlyFields needs={needs}>
        <AddressField session={session} control={control} siteUrl={overview?.siteUrl} />
        <FormTextArea
          control={control}
          name="excerpt"
          label="Excerpt"
          rows={3}
          description="Shown below the title and in lists. Defaults to the first sentences."
        />
        <FormTagInput control={control} name="tags" label="Tags" suggestions={overview?.tags ?? []} />
        <CoverField form={form} url={values.coverImageUrl} />
        <AuthorFields form={form} />
        <FormTextArea
          control={control}
          name="metaDescription"
          label="SEO description"
          rows={3}
          description={<DescriptionLength text={values.metaDescription} />}
        />
      </ReadOnlyFields>
      <SharePreviews
        title={values.title}
        description={description}
        siteName={siteName}
        siteUrl={overview?.siteUrl}
        slug={values.slug}
        coverImageUrl={values.coverImageUrl}
        authorName={values.authorName}
      />
      {postId !== undefined && <HistoryLink id={postId} subject="this post" className="self-start" />}
    </form>
  );
}

/** Longer texts are allowed, but search engines truncate them. */
function DescriptionLength({ text }: { text: string }) {
  const used = [...text].length;
  if (used === 0) return 'For search engines. Defaults to the excerpt or the first sentences.';
  return used <= descriptionLength
    ? `${used} of about ${descriptionLength} characters shown in search results.`
    : `${used} characters. Search results show about ${descriptionLength}.`;
}

interface AddressFieldProps {
  session: PostSession;
  control: Control<DetailsValues>;
  /** URL of the public blog, without a trailing slash; undefined until it is loaded. */
  siteUrl: string | undefined;
}

/** The post's address on the blog, with a warning before a public one changes. */
function AddressField({ session, control, siteUrl }: AddressFieldProps) {
  const slug = usePostView(session, (view) => view.values.slug);
  const post = usePostView(session, (view) => view.post);
  const followsTitle = usePostView(session, (view) => view.followsTitle);
  const isPublic = post?.status === 'published';
  const moves = isPublic && slug !== post.slug && slug !== '';
  return (
    <div className="flex flex-col gap-1.5">
      <FormTextField
        control={control}
        name="slug"
        label="URL"
        mono
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={followsTitle ? 'Generated from the title' : ''}
        description={
          followsTitle
            ? 'Generated from the title until you enter one.'
            : isPublic
              ? undefined
              : 'Clear to generate it from the title.'
        }
      />
      {siteUrl && slug !== '' && (
        <div className="flex items-center gap-1 text-label text-muted">
          <span className="min-w-0 wrap-anywhere">
            {siteUrl.replace(/^https?:\/\//, '')}/<span className="text-foreground">{slug}</span>
          </span>
          {post?.url && !moves && <CopyButton value={post.url} label="Copy URL" size="sm" />}
        </div>
      )}
      {moves && (
        <p role="status" className="flex gap-1.5 text-label text-warning-text">
          <TriangleAlert aria-hidden className="mt-px size-4 shrink-0" />
          The public URL will change. The old URL will redirect to it.
        </p>
      )}
    </div>
  );
}

const typed = { value: '', label: 'Person' };

/** The author: an agent, or a name. */
function AuthorFields({ form }: { form: UseFormReturn<DetailsValues> }) {
  const trpc = useTRPC();
  const agents = useQuery(trpc.agents.list.queryOptions({}, { staleTime: 60_000 })).data?.agents ?? [];
  const { control, setValue, getValues } = form;

  const pick = (agentId: string) => {
    const agent = agents.find(({ id }) => id === agentId);
    if (!agent) return;
    setValue('authorName', agent.name, { shouldDirty: true });
    setValue('authorAvatarUrl', /^https?:\/\//i.test(agent.avatarUrl) ? agent.avatarUrl : '', { shouldDirty: true });
  };
  // A post under another name is not that agent's.
  const name = (value: string) => {
    const agent = agents.find(({ id }) => id === getValues('authorAgentId'));
    if (agent && agent.name !== value) setValue('authorAgentId', '', { shouldDirty: true });
  };

  return (
    <>
      {agents.length > 0 && (
        <FormSelect
          control={control}
          name="authorAgentId"
          label="Author type"
          options={[typed, ...agents.map(({ id, name: label }) => ({ value: id, label }))]}
          onValueChange={pick}
        />
      )}
      <FormTextField control={control} name="authorName" label="Author" autoComplete="off" onValueChange={name} />
      <FormTextField
        control={control}
        name="authorAvatarUrl"
        label="Author photo"
        placeholder="https://…"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        description="URL of a square image. Defaults to initials."
      />
    </>
  );
}

/** The drawer's form, synchronised with the session: changes go there, and stored values and errors come back. */
function useDetailsForm(session: PostSession): UseFormReturn<DetailsValues> {
  const form = useForm<DetailsValues>({ defaultValues: toDetails(session.view().values) });

  useEffect(() => {
    const follow = () => {
      const { values, fieldErrors } = session.view();
      const current = form.getValues();
      for (const [field, value] of Object.entries(toDetails(values))) {
        if (!isSame(value, current[field as keyof DetailsValues])) form.setValue(field as keyof DetailsValues, value);
      }
      const { errors } = form.formState;
      for (const name of Object.keys(errors)) {
        const isThere = Object.keys(fieldErrors).some((path) => path === name || path.startsWith(`${name}.`));
        if (!isThere) form.clearErrors(name as FieldPath<DetailsValues>);
      }
      for (const [path, message] of Object.entries(fieldErrors)) {
        if (path in current || path.startsWith('tags.'))
          form.setError(path as FieldPath<DetailsValues>, { type: 'server', message });
      }
    };
    const { unsubscribe } = form.watch((_, { name }) => {
      // A change without a name, or by `follow`, was not typed; the session has that already.
      if (name !== undefined) session.change(fromDetails(form.getValues()));
    });
    // Subscribes to the errors that `follow` reads.
    void form.formState.errors;
    follow();
    const stop = session.subscribe(follow);
    return () => {
      stop();
      unsubscribe();
    };
  }, [session, form]);

  return form;
}
