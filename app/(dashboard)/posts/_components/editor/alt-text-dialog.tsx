import { useCallback, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import { DialogForm } from '@/app/_kit/dialog-form';
import { FormTextField } from '@/app/_kit/form-fields';
import { Dialog } from '@/app/_kit/overlay/dialog';

interface AltTextDialogProps {
  /** Root-relative URL of the uploaded picture. */
  url: string;
  /** Called with the description, which may be empty; null if the picture is not wanted after all. */
  onAnswer: (altText: string | null) => void;
}

/** Asks for the description of a picture before it is put into the text. */
export function AltTextDialog({ url, onAnswer }: AltTextDialogProps) {
  const form = useForm({ defaultValues: { altText: '' } });
  return (
    <Dialog isOpen size="sm" onOpenChange={() => onAnswer(null)} title="Describe the image">
      <DialogForm
        submitLabel="Add image"
        isPending={false}
        failure={null}
        onSubmit={form.handleSubmit(({ altText }) => onAnswer(altText.trim()))}
        onCancel={() => onAnswer(null)}
      >
        {/* biome-ignore lint/performance/noImgElement: an uploaded file, which has its sizes already */}
        <img src={url} alt="" className="max-h-48 self-start rounded-md border border-border" />
        <FormTextField
          control={form.control}
          name="altText"
          label="Alt text"
          description="What the image shows, for people who can’t see it. Leave it empty if the image is only decoration."
          autoComplete="off"
          autoFocus
        />
      </DialogForm>
    </Dialog>
  );
}

/** Asks for the descriptions of pictures, one after the other. */
export function useAltTextQuestion(): { question: AltTextDialogProps | null; ask: (url: string) => Promise<string | null> } {
  const [question, setQuestion] = useState<AltTextDialogProps | null>(null);
  const last = useRef<Promise<string | null>>(Promise.resolve(null));
  const ask = useCallback((url: string) => {
    const asked = () =>
      new Promise<string | null>((resolve) => {
        const onAnswer = (altText: string | null) => {
          setQuestion(null);
          resolve(altText);
        };
        setQuestion({ url, onAnswer });
      });
    last.current = last.current.then(asked);
    return last.current;
  }, []);
  return { question, ask };
}
