import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { Switch } from '@/app/_kit/switch';
import { dateOf } from '@/app/_kit/viewer-format';
import type { SendLater } from './composer-values';
import { chosenTime, laterChoices } from './later-times';

interface SendLaterDialogProps {
  isReply: boolean;
  onChoose: (later: SendLater) => void;
  onClose: () => void;
}

/** Asks when an email is sent. */
export function SendLaterDialog({ isReply, onChoose, onClose }: SendLaterDialogProps) {
  const form = useForm({ defaultValues: initialValues() });
  const { control, setError, setValue, watch } = form;
  const cancelIfReply = watch('cancelIfReply');
  const submit = form.handleSubmit((values) => {
    const { time, problem } = chosenTime(values.date, values.time, new Date());
    if (problem === null) return onChoose({ sendAt: time.toISOString(), cancelIfReply: values.cancelIfReply });
    setError(
      values.date === '' || values.time !== '' ? 'date' : 'time',
      { type: 'server', message: problem },
      { shouldFocus: true },
    );
  });
  return (
    <Dialog
      isOpen
      size="sm"
      onOpenChange={onClose}
      title="Send later"
      description={`Times are in ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`}
    >
      <DialogForm
        submitLabel="Schedule"
        isPending={false}
        failure={null}
        onSubmit={(event) => {
          // The form of the email is around this one in React.
          event.stopPropagation();
          void submit(event);
        }}
        onCancel={onClose}
      >
        <div className="grid grid-cols-2 items-start gap-3">
          <FormTextField control={control} name="date" label="Date" type="date" min={dateOf(new Date())} />
          <FormTextField control={control} name="time" label="Time" type="time" />
        </div>
        {isReply && (
          <Switch
            label="Cancel it if they reply before"
            isSelected={cancelIfReply}
            onChange={(isOn) => setValue('cancelIfReply', isOn)}
          >
            <span>Cancel it if they reply before</span>
          </Switch>
        )}
      </DialogForm>
    </Dialog>
  );
}

function initialValues() {
  const [tomorrow] = laterChoices(new Date());
  return { date: tomorrow ? dateOf(tomorrow.time) : '', time: '08:00', cancelIfReply: true };
}
