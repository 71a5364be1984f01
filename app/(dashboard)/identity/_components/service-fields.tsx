import { ComboBox } from '@heroui/react/combo-box';
import { FieldError } from '@heroui/react/field-error';
import { Input } from '@heroui/react/input';
import { Label } from '@heroui/react/label';
import { ListBox } from '@heroui/react/list-box';
import { useState } from 'react';
import { useController, useFormContext, useWatch } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { fieldMessage } from '@/app/_kit/field-message';
import { FormTextArea, FormTextField } from '@/app/_kit/form-fields';
import { useShownError } from '@/app/_kit/form-row';
import { FormSelect } from '@/app/_kit/form-select';
import { popoverContainer } from '@/app/_kit/overlay/popover';
import { TextField } from '@/app/_kit/text-field';
import { useMoney, useViewerLocale } from '@/app/_kit/viewer-format';
import { billingIntervals } from '@/server/features/identity/identity.limits';
import { type ReadAmount, readAmount, typedAmount } from './amount';
import { commonCurrencies, intervalLabels } from './currencies';
import type { PriceValue, ProfileValues } from './profile-values';

const intervals = billingIntervals.map((value) => ({ value, label: intervalLabels[value].label }));

/** All fields of one service except its position and whether it is offered. */
export function ServiceFields({ index }: { index: number }) {
  const { control } = useFormContext<ProfileValues>();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-3">
      <FormTextField
        control={control}
        name={`profile.services.${index}.name`}
        label="Name"
        className="sm:col-span-3"
        isRequired
      />
      <PriceField index={index} />
      <CurrencyField index={index} />
      <FormSelect control={control} name={`profile.services.${index}.billingInterval`} label="Billing" options={intervals} />
      <FormTextArea
        control={control}
        name={`profile.services.${index}.description`}
        label="Description"
        rows={3}
        className="sm:col-span-3"
      />
    </div>
  );
}

/** A currency code: a common one, or any three letters. */
function CurrencyField({ index }: { index: number }) {
  const { control } = useFormContext<ProfileValues>();
  const { field, fieldState } = useController({ control, name: `profile.services.${index}.currency` });
  const shown = useShownError(fieldState);
  return (
    <ComboBox
      fullWidth
      allowsCustomValue
      menuTrigger="input"
      validationBehavior="aria"
      inputValue={field.value}
      onInputChange={(code) => {
        // Stored codes stay unchanged; typed ones become upper case.
        if (code !== field.value) field.onChange(code.trim().toUpperCase());
      }}
      onSelectionChange={(code) => {
        if (code !== null) field.onChange(String(code));
      }}
      onBlur={field.onBlur}
      isInvalid={shown !== undefined}
      isRequired
    >
      <Label>Currency</Label>
      <ComboBox.InputGroup>
        <Input ref={field.ref} autoCapitalize="characters" spellCheck={false} />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      <FieldError>{fieldMessage('Currency', shown?.message)}</FieldError>
      <ComboBox.Popover className="min-w-60" {...popoverContainer()}>
        <ListBox>
          {commonCurrencies.map(({ code, name }) => (
            <ListBox.Item key={code} id={code} textValue={code}>
              <span className="font-mono text-xs">{code}</span>
              <span className="text-muted">{name}</span>
            </ListBox.Item>
          ))}
        </ListBox>
      </ComboBox.Popover>
    </ComboBox>
  );
}

/** The form value of a text: the amount if it is unambiguous, else the text. */
const priceOf = (read: ReadAmount, text: string): PriceValue =>
  read.kind === 'amount' ? read.value : read.kind === 'empty' ? null : text;

/** What to do about a refused price; an ambiguous one has a question instead. */
function priceProblem(read: ReadAmount, reason: string | undefined): string | undefined {
  if (read.kind === 'amount') return fieldMessage('Price', reason);
  if (read.kind === 'ambiguous') return undefined;
  return read.kind === 'empty' ? 'Enter a price. Use 0 if it’s free.' : 'Enter an amount such as 12.50.';
}

/** An amount with either decimal mark. Shows how it was parsed, and asks if it is ambiguous. */
function PriceField({ index }: { index: number }) {
  const { control } = useFormContext<ProfileValues>();
  const { field, fieldState } = useController({ control, name: `profile.services.${index}.price` });
  const currency = useWatch({ control, name: `profile.services.${index}.currency` });
  const shown = useShownError(fieldState);
  const isInvalid = shown !== undefined;
  const locale = useViewerLocale();
  const money = useMoney();
  /** The typed text. It is replaced if the form's value changes otherwise: discarded, restored or updated. */
  const [typed, setTyped] = useState('');
  const isTyped = priceOf(readAmount(typed), typed) === field.value;
  const stored = typeof field.value === 'number' ? typedAmount(field.value, currency, locale) : (field.value ?? '');
  const text = isTyped ? typed : stored;
  const read = readAmount(text);

  const type = (next: string) => {
    setTyped(next);
    field.onChange(priceOf(readAmount(next), next));
  };
  const settle = () => {
    // On blur, the field shows what will be stored.
    if (typeof field.value === 'number') setTyped(typedAmount(field.value, currency, locale));
    field.onBlur();
  };
  const choose = (value: number) => type(typedAmount(value, currency, locale));

  return (
    <div data-field className="flex min-w-0 flex-col gap-2">
      <TextField
        label="Price"
        error={priceProblem(read, shown?.message)}
        isInvalid={isInvalid}
        description={read.kind === 'amount' ? `= ${money(read.value, currency)}` : undefined}
        isRequired
      >
        {(controlProps) => (
          <div
            data-slot="input-group"
            data-invalid={isInvalid || undefined}
            className="input-group input-group--primary input-group--full-width"
          >
            <input
              {...controlProps}
              ref={field.ref}
              name={field.name}
              type="text"
              inputMode="decimal"
              autoComplete="off"
              value={text}
              onChange={(event) => type(event.target.value)}
              onBlur={settle}
              data-slot="input-group-input"
              className="input-group__input tabular-nums"
            />
          </div>
        )}
      </TextField>
      <div role="status">
        {read.kind === 'ambiguous' && (
          <div className="rounded-md bg-warning-soft px-3 py-2 text-warning-text">
            <p className="text-label">Which amount do you mean?</p>
            <div className="mt-1.5 flex flex-wrap gap-2">
              {[read.grouped, read.decimal].map((value) => (
                <Button key={value} variant="secondary" size="sm" onPress={() => choose(value)}>
                  {money(value, currency)}
                </Button>
              ))}
            </div>
          </div>
        )}
      </div>
    </div>
  );
}
