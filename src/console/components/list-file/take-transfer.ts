import { createPastedRows } from './pasted-rows.ts';

/** A list that was chosen, dropped or pasted, or the reason why it is none. */
export type Taken = { readonly file: File } | { readonly problem: string };

/** Takes the file or the rows of a drop or of the clipboard; null for an empty one. */
export function takeTransfer(transfer: DataTransfer | null): Taken | null {
  if (transfer === null) return null;
  const files = [...transfer.files];
  const text = transfer.getData('text/plain');
  // A spreadsheet puts its cells on the clipboard as text and as an image.
  const isImage = files.every(({ type }) => type.startsWith('image/'));
  if (text.trim() !== '' && isImage) return { file: createPastedRows(text) };
  const [file, other] = files;
  if (file === undefined) return null;
  if (other !== undefined)
    return { problem: `These are ${files.length} files. Use one file at a time, or put all rows into one.` };
  const isFolder = [...transfer.items].some((item) => item.webkitGetAsEntry()?.isDirectory === true);
  if (isFolder) return { problem: `“${file.name}” is a folder. Use a file from it.` };
  return { file };
}
