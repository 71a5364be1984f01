import { useFormContext } from 'react-hook-form';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { MetadataEditor } from '@/app/_kit/metadata-editor';
import { SectionCard } from '@/app/_kit/section-card';
import { FormTagInput } from '@/app/_kit/tag-input';
import type { CustomerFields } from './customer-form';
import { useKnownTags } from './use-known-tags';

/** A customer's fields besides contacts. Needs a FormProvider; used for new and stored customers. */
export function CustomerFieldsSections() {
  const { control } = useFormContext<CustomerFields>();
  const tags = useKnownTags();
  return (
    <>
      <SectionCard title="Details">
        <div className="grid gap-4 sm:grid-cols-2">
          <FormTextField control={control} name="company" label="Company" autoComplete="off" />
          <FormTextField control={control} name="phone" label="Phone" type="tel" autoComplete="off" />
          <div className="sm:col-span-2">
            <FormTagInput
              control={control}
              name="tags"
              label="Tags"
              description="Press Enter to add. Use tags to filter customers."
              suggestions={tags}
            />
          </div>
          <FormTextArea control={control} name="notes" label="Notes" rows={6} className="sm:col-span-2" />
        </div>
      </SectionCard>
      <SectionCard title="Custom fields" description="Add your own fields, e.g. customer number.">
        <MetadataEditor />
      </SectionCard>
    </>
  );
}
