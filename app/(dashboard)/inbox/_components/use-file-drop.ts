import { useEffect, useEffectEvent, useState } from 'react';
import { toast } from '@/app/_kit/toast';

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false;

/** The dropped files; folders, which browsers hand over as files that can't be read, are left out. */
function filesOf({ items }: DataTransfer): { files: File[]; hasFolder: boolean } {
  const dropped = [...items].filter(({ kind }) => kind === 'file');
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry()?.isDirectory ?? false;
  const files = dropped.filter((item) => !isFolder(item)).map((item) => item.getAsFile());
  return { files: files.filter((file) => file !== null), hasFolder: dropped.some(isFolder) };
}

/**
 * Takes files that are dropped anywhere on the page: the browser would leave the page to open one that misses its target.
 *
 * @returns whether files are being dragged over the page
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent((data: DataTransfer) => {
    const { files, hasFolder } = filesOf(data);
    if (files.length > 0) onFiles(files);
    if (hasFolder) toast('Folders can’t be attached', { description: 'Attach the files in it, or a ZIP file.' });
  });
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      // Out of the window; other events are of its elements.
      if (event.relatedTarget === null) setIsOver(false);
    };
    const onDrop = (event: DragEvent) => {
      setIsOver(false);
      // The editor takes pictures.
      if (!hasFiles(event) || !event.dataTransfer || event.defaultPrevented) return;
      event.preventDefault();
      take(event.dataTransfer);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  return isOver;
}
