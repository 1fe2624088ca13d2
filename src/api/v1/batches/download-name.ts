import type { BatchSummary } from '../../../core/batches/batch.ts';

/** Maximum length of the name of a batch in the name of a file, in characters. */
const charsMax = 100;

/** Part of a batch that a file contains. */
type Content = 'rows' | 'ads' | 'variants' | 'report' | 'rejected';

/**
 * Returns the `Content-Disposition` of a file of a batch, named after the batch, the content and the day of the batch: in ASCII as
 * `filename`, and unchanged as `filename*` (RFC 6266).
 *
 * @param isFiltered true when the file has only a selection of the batch.
 */
export function attachmentOf(
  { name, createdAt }: Pick<BatchSummary, 'name' | 'createdAt'>,
  {
    content,
    extension,
    isFiltered = false,
  }: {
    readonly content: Content;
    readonly extension: string;
    readonly isFiltered?: boolean;
  },
): string {
  const stem = withoutExtension(name);
  const what = isFiltered ? `${content}-filtered` : content;
  const file = `${stem}-${what}-${createdAt.toISOString().slice(0, 10)}.${extension}`;
  return `attachment; filename="${toAscii(file)}"; filename*=UTF-8''${encode(file)}`;
}

/** Removes the extension of a data file, and characters that no file name should have. */
function withoutExtension(name: string): string {
  const stem = name
    .replace(/(\.(csv|tsv|txt|xlsx|ods|parquet|ndjson|jsonl|json|zip|gz))+$/iu, '')
    .replace(/[\p{Cc}\p{Cs}\u2028\u2029"*/:<>?\\|]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/gu, '');
  const short = [...stem].slice(0, charsMax).join('');
  return short === '' ? 'batch' : short;
}

function toAscii(file: string): string {
  return file
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]/gu, '_')
    .replace(/[%"\\]/g, '_');
}

/** `encodeURIComponent` leaves characters that RFC 8187 does not allow. */
function encode(file: string): string {
  return encodeURIComponent(file).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
