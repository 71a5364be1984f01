import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Control, FieldPath, FieldValues } from 'react-hook-form';
import { FormTextField } from './form-fields';
import { IconButton } from './icon-button';

interface PasswordFieldProps<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  description?: ReactNode;
  isOptional?: boolean;
}

/** A password field with a button that reveals the text. */
export function PasswordField<Values extends FieldValues>({ label, isOptional = false, ...props }: PasswordFieldProps<Values>) {
  const [isShown, setShown] = useState(false);
  return (
    <FormTextField
      {...props}
      label={label}
      type={isShown ? 'text' : 'password'}
      spellCheck="false"
      autoCapitalize="none"
      isRequired={!isOptional}
      trailing={
        <IconButton
          label={isShown ? `Hide ${label.toLowerCase()}` : `Show ${label.toLowerCase()}`}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </IconButton>
      }
    />
  );
}
