import { Plus, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useFieldArray, useFormContext, useWatch } from 'react-hook-form';
import { Button } from './button';
import { FormTextArea, FormTextField } from './form-fields';
import { FormRow } from './form-row';
import { FormSelect } from './form-select';
import { IconButton } from './icon-button';
import { type MetadataEntry, type MetadataKind, metadataKinds, withKind } from './metadata-draft';

/** The part of a form that this editor needs; the form has its `metadata` as rows (see metadata-draft.ts). */
interface MetadataFormValues {
  metadata: MetadataEntry[];
}

const blank: MetadataEntry = { name: '', kind: 'text', text: '', isStored: false };

/** Rows of name, type and value for a free-form JSON object. Needs a FormProvider. */
export function MetadataEditor() {
  const { control } = useFormContext<MetadataFormValues>();
  const { fields, append, remove } = useFieldArray({ control, name: 'metadata' });
  const addButton = useRef<HTMLButtonElement>(null);

  const removeRow = (index: number) => {
    remove(index);
    // The focused row was removed.
    addButton.current?.focus();
  };

  return (
    <div className="flex flex-col gap-3">
      {fields.length > 0 && (
        <ul className="flex flex-col gap-3 max-sm:gap-5">
          {fields.map((field, index) => (
            <FormRow key={field.id} control={control}>
              <MetadataRow index={index} onRemove={() => removeRow(index)} />
            </FormRow>
          ))}
        </ul>
      )}
      <Button
        ref={addButton}
        variant="secondary"
        size="sm"
        onPress={() => append(blank, { focusName: `metadata.${fields.length}.name` })}
      >
        <Plus aria-hidden />
        Add field
      </Button>
    </div>
  );
}

/** One row, with the value field that its type needs. */
function MetadataRow({ index, onRemove }: { index: number; onRemove: () => void }) {
  const { control, getValues, setValue, clearErrors } = useFormContext<MetadataFormValues>();
  const entry = useWatch({ control, name: `metadata.${index}` });
  const previous = useRef(entry);

  useEffect(() => {
    previous.current = entry;
  }, [entry]);

  const changeKind = (kind: string) => {
    const before = previous.current;
    const next = withKind(before, kind as MetadataKind);
    if (next.text !== before.text) setValue(`metadata.${index}.text`, next.text, { shouldDirty: true });
    clearErrors(`metadata.${index}.text`);
  };

  if (!entry) return null;
  const shownName = getValues(`metadata.${index}.name`) || `field ${index + 1}`;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_2.25rem] items-start gap-2 sm:grid-cols-[minmax(0,2fr)_7.5rem_minmax(0,3fr)_2.25rem]">
      <FormTextField
        control={control}
        name={`metadata.${index}.name`}
        label="Name"
        hideLabel
        placeholder="Name"
        autoCapitalize="none"
        mono
      />
      <div className="max-sm:order-last max-sm:col-span-full max-sm:grid max-sm:grid-cols-[7.5rem_minmax(0,1fr)] max-sm:gap-2 sm:contents">
        <FormSelect
          control={control}
          name={`metadata.${index}.kind`}
          label={`Type of ${shownName}`}
          hideLabel
          options={metadataKinds}
          onValueChange={changeKind}
        />
        <MetadataValue index={index} kind={entry.kind} />
      </div>
      <IconButton size="md" label={`Remove ${shownName}`} onPress={onRemove}>
        <Trash2 aria-hidden className="text-muted" />
      </IconButton>
    </li>
  );
}

const truth = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
] as const;

function MetadataValue({ index, kind }: { index: number; kind: MetadataKind }) {
  const { control, getValues } = useFormContext<MetadataFormValues>();
  const name = `metadata.${index}.text` as const;
  const [lines] = useState(() => getValues(name)?.split('\n').length ?? 1);
  switch (kind) {
    case 'text':
      // A one-line field would drop the line breaks of a stored value.
      return lines > 1 ? (
        <FormTextArea control={control} name={name} label="Value" hideLabel rows={Math.min(lines, 12)} />
      ) : (
        <FormTextField control={control} name={name} label="Value" hideLabel placeholder="Value" />
      );
    case 'number':
      return <FormTextField control={control} name={name} label="Value" hideLabel placeholder="0" inputMode="decimal" mono />;
    case 'boolean':
      return <FormSelect control={control} name={name} label="Value" hideLabel options={truth} />;
    case 'empty':
      return <p className="flex h-9 items-center text-muted">No value</p>;
    case 'json':
      return <FormTextArea control={control} name={name} label="Value" hideLabel rows={Math.min(Math.max(lines, 3), 12)} mono />;
  }
}
