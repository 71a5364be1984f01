import type { Editor } from '@tiptap/react';
import { useForm } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { linkAddress } from './link-address';

interface LinkDialogProps {
  editor: Editor;
  onClose: () => void;
}

/** Links the selected text, or inserts a link. */
export function LinkDialog({ editor, onClose }: LinkDialogProps) {
  const present: string = editor.getAttributes('link').href ?? '';
  const asksForText = present === '' && editor.state.selection.empty;
  const { control, handleSubmit, setError } = useForm({ defaultValues: { text: '', address: present } });
  const close = () => {
    onClose();
    // The dialog gives the focus back to the button that opened it.
    requestAnimationFrame(() => editor.commands.focus());
  };
  const submit = handleSubmit(({ text, address }) => {
    const href = linkAddress(address);
    if (href === null) return setError('address', { message: 'Enter a web or email address.' }, { shouldFocus: true });
    const marks = [{ type: 'link', attrs: { href } }];
    if (asksForText) editor.commands.insertContent([{ type: 'text', text: text.trim() || address.trim(), marks }]);
    else editor.chain().extendMarkRange('link').setLink({ href }).run();
    close();
  });
  return (
    <Dialog isOpen size="sm" onOpenChange={close} title={present === '' ? 'Insert link' : 'Edit link'}>
      <DialogForm
        submitLabel={present === '' ? 'Insert link' : 'Save'}
        isPending={false}
        failure={null}
        onSubmit={(event) => {
          // The form of the email is around this one in React.
          event.stopPropagation();
          void submit(event);
        }}
        onCancel={close}
      >
        {asksForText && <FormTextField control={control} name="text" label="Text" autoFocus />}
        <FormTextField
          control={control}
          name="address"
          label="Address"
          autoFocus={!asksForText}
          inputMode="url"
          placeholder="https://"
          autoCapitalize="none"
        />
        {present !== '' && (
          <Button
            variant="ghost"
            size="sm"
            className="self-start"
            onPress={() => {
              editor.chain().extendMarkRange('link').unsetLink().run();
              close();
            }}
          >
            Remove link
          </Button>
        )}
      </DialogForm>
    </Dialog>
  );
}
