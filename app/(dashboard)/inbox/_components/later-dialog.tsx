import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { dateOf } from '@/app/_kit/viewer-format';
import { chosenTime, laterChoices } from './later-times';

interface LaterDialogProps {
  title: string;
  submitLabel: string;
  onChoose: (time: Date) => void;
  onClose: () => void;
  /** Further fields. */
  children?: ReactNode;
}

/** Asks for a time of the coming year. */
export function LaterDialog({ title, submitLabel, onChoose, onClose, children }: LaterDialogProps) {
  const { control, handleSubmit, setError } = useForm({ defaultValues: initialValues() });
  const submit = handleSubmit((values) => {
    const { time, problem } = chosenTime(values.date, values.time, new Date());
    if (problem === null) return onChoose(time);
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
      title={title}
      description={`Times are in ${Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ')}.`}
    >
      <DialogForm
        submitLabel={submitLabel}
        isPending={false}
        failure={null}
        onSubmit={(event) => {
          // In React, the form of an email may be around this one.
          event.stopPropagation();
          void submit(event);
        }}
        onCancel={onClose}
      >
        <div className="grid grid-cols-2 items-start gap-3">
          <FormTextField control={control} name="date" label="Date" type="date" min={dateOf(new Date())} />
          <FormTextField control={control} name="time" label="Time" type="time" />
        </div>
        {children}
      </DialogForm>
    </Dialog>
  );
}

function initialValues() {
  const [tomorrow] = laterChoices(new Date());
  return { date: tomorrow ? dateOf(tomorrow.time) : '', time: '08:00' };
}
