import type { UseFormReturn } from 'react-hook-form';
import { FormTextField } from './form-fields';
import { slugOf } from './slug';

interface BusinessName {
  displayName: string;
  handle: string;
}

interface BusinessNameFieldsProps<Values extends BusinessName> {
  form: UseFormReturn<Values>;
  autoFocus?: boolean;
}

/** Name and handle of a new business. The handle follows the name until it is edited. */
export function BusinessNameFields<Values extends BusinessName>({ form, autoFocus = false }: BusinessNameFieldsProps<Values>) {
  const { control, formState, setValue } = form as unknown as UseFormReturn<BusinessName>;
  const suggest = (displayName: string) => {
    if (formState.dirtyFields.handle) return;
    const handle = slugOf(displayName);
    // A handle has at least two characters.
    setValue('handle', handle.length >= 2 ? handle : '', { shouldValidate: formState.isSubmitted });
  };
  return (
    <>
      <FormTextField
        control={control}
        name="displayName"
        label="Business name"
        autoComplete="organization"
        onValueChange={suggest}
        autoFocus={autoFocus}
        isRequired
      />
      <FormTextField
        control={control}
        name="handle"
        label="URL name"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck="false"
        mono
        description="Used in web addresses, such as your blog’s. Can’t be changed later."
        isRequired
      />
    </>
  );
}
