import { readXml } from '../xml/read-xml.ts';
import { createTextStore, type TextStore } from './text-store.ts';

/** Maximum number of shared texts: with its positions a text takes at least 12 bytes. A sheet of a million rows has rarely more than this. */
export const sharedTextsMax = 10_000_000;

/**
 * Reads the shared texts of a workbook. The parts of a rich text are joined; hints for the pronunciation are left out.
 * Escapes stay: `unescapeText` replaces them, because half a surrogate pair cannot be stored as UTF-8.
 *
 * @param onTooLarge called when there are too many, or their size exceeds `bytesMax`. Must throw.
 * @throws XmlError
 */
export async function readSharedStrings(
  bytes: AsyncIterable<Buffer>,
  bytesMax: number,
  onTooLarge: () => never,
): Promise<TextStore> {
  const store = createTextStore();
  let text = '';
  let isText = false;
  let isHint = false;
  const handler = {
    onOpen(name: string) {
      if (name === 'si') text = '';
      else if (name === 't') isText = !isHint;
      else if (name === 'rPh') isHint = true;
    },
    onClose(name: string) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isHint = false;
      else if (name === 'si') store.add(text);
    },
    onText(part: string) {
      if (isText) text += part;
    },
  };
  await readXml(bytes, handler, () => {
    if (store.size() > sharedTextsMax || store.bytes() > bytesMax) onTooLarge();
  });
  return store;
}
