import { OptionList } from '@/app/_kit/option-list';
import type { useContactPicker } from './use-contact-picker';

type ContactOptionsProps = Pick<ReturnType<typeof useContactPicker>, 'contacts' | 'listProps'> & {
  /** Its position below the field. */
  className: string;
};

/** The list of a `useContactPicker`. */
export function ContactOptions({ contacts, listProps, className }: ContactOptionsProps) {
  const options = contacts.map(({ email, name }) => ({
    key: email,
    content: (
      <>
        <span className="block truncate">{name === '' ? email : name}</span>
        {name !== '' && <span className="block truncate text-label text-muted">{email}</span>}
      </>
    ),
  }));
  return <OptionList {...listProps} options={options} className={className} />;
}
