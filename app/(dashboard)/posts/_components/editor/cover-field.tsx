import { ImageUp, LoaderCircle, Trash2 } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Button } from '@/app/_kit/button';
import { FormTextField } from '@/app/_kit/form-fields';
import { RemoteImage } from '@/app/_kit/remote-image';
import { pictureSources } from '../post-labels';
import type { DetailsValues } from './post-values';
import { pictureTypes, useUploadPicture } from './upload-picture';

interface CoverFieldProps {
  form: UseFormReturn<DetailsValues>;
  url: string;
}

/** The picture above the post and on its cards: uploaded, or from a URL. */
export function CoverField({ form, url }: CoverFieldProps) {
  const upload = useUploadPicture();
  const chooser = useRef<HTMLInputElement>(null);
  const [isUploading, setIsUploading] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const place = (value: string) => form.setValue('coverImageUrl', value, { shouldDirty: true });

  const store = async (file: File | undefined) => {
    if (!file || isUploading) return;
    setProblem(null);
    setIsUploading(true);
    await upload(file)
      .then(place, (error: Error) => setProblem(error.message))
      .finally(() => setIsUploading(false));
  };
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setIsOver(event.type !== 'dragleave');
  };

  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="label mb-1">Cover image</legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is another way to use the button. */}
      <div
        onDragEnter={onDrag}
        onDragOver={onDrag}
        onDragLeave={onDrag}
        onDrop={(event) => {
          event.preventDefault();
          setIsOver(false);
          void store(event.dataTransfer.files[0]);
        }}
        className={`flex flex-col items-center justify-center gap-2 rounded-md border border-dashed p-2 ${isOver ? 'border-accent bg-accent-soft' : 'border-border-secondary'}`}
      >
        {url !== '' && (
          <RemoteImage
            key={url}
            sources={pictureSources(url)}
            alt="Cover image"
            width={480}
            height={270}
            className="aspect-video w-full rounded-sm object-cover"
            fallback={<p className="py-3 text-label text-muted">No preview available</p>}
          />
        )}
        <div className="flex flex-wrap items-center justify-center gap-2">
          <Button variant="secondary" size="sm" isDisabled={isUploading} onPress={() => chooser.current?.click()}>
            {isUploading ? <LoaderCircle aria-hidden className="animate-spin" /> : <ImageUp aria-hidden />}
            {isUploading ? 'Uploading…' : url === '' ? 'Upload image' : 'Replace'}
          </Button>
          {url !== '' && (
            <Button variant="ghost" size="sm" onPress={() => place('')}>
              <Trash2 aria-hidden />
              Remove image
            </Button>
          )}
        </div>
        <p className="text-xs text-muted">JPEG, PNG, WebP, GIF or AVIF, up to 10 MB. Or drag it here.</p>
      </div>
      <span role="status" className="sr-only">
        {isUploading ? 'Uploading cover image' : ''}
      </span>
      {problem && (
        <p role="alert" className="text-label text-danger-text">
          Couldn’t upload the image. {problem}
        </p>
      )}
      <input
        ref={chooser}
        type="file"
        accept={pictureTypes}
        hidden
        aria-label="Cover image to upload"
        onChange={(event) => {
          void store(event.target.files?.[0]);
          // Allows the same file to be chosen again.
          event.target.value = '';
        }}
      />
      <FormTextField
        control={form.control}
        name="coverImageUrl"
        label="Cover image URL"
        placeholder="https://…"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
      />
    </fieldset>
  );
}
