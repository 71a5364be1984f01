import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { QueryResult } from '@/app/_kit/query-result';
import { useFormSubmit } from '@/app/_kit/use-form-errors';
import { useEventTypes } from '../../_components/use-event-types';
import { EventFields } from './event-fields';
import type { WebhookFields } from './webhook-types';

interface WebhookFormProps {
  values: WebhookFields;
  submitLabel: string;
  onSubmit: (values: WebhookFields) => Promise<unknown>;
  onCancel: () => void;
}

/** `events.0` is about the field of all events. */
const formField = (path: string) => (path.startsWith('events') ? 'events' : path);

/** Address, events and description of a webhook, inside a dialog. */
export function WebhookForm({ values, submitLabel, onSubmit, onCancel }: WebhookFormProps) {
  const types = useEventTypes();
  const form = useForm<WebhookFields>({ defaultValues: values });
  const { failure, submit } = useFormSubmit(
    form,
    async (typed) => {
      const url = typed.url.trim();
      if (!/^https?:\/\/\S+$/i.test(url)) {
        form.setError('url', { type: 'server', message: 'must begin with https:// or http://' }, { shouldFocus: true });
        return;
      }
      if (typed.events.length === 0) {
        form.setError('events', { type: 'server', message: 'Choose at least one event.' });
        return;
      }
      await onSubmit({ ...typed, url, description: typed.description.trim() });
    },
    formField,
  );
  return (
    <DialogForm
      submitLabel={submitLabel}
      isPending={form.formState.isSubmitting}
      failure={failure}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <FormTextField
        control={form.control}
        name="url"
        label="URL"
        type="url"
        inputMode="url"
        placeholder="https://shop.example/frontdesk"
        description="Each event is sent here with POST."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        mono
        autoFocus
        isRequired
      />
      <QueryResult query={types} failure="Couldn’t load events" loading="Loading events" lines={5}>
        {({ types: all }) => <EventFields control={form.control} types={all} />}
      </QueryResult>
      <FormTextField
        control={form.control}
        name="description"
        label="Description"
        placeholder="Order sync"
        description="Optional. Shown instead of the URL."
        autoComplete="off"
      />
    </DialogForm>
  );
}
