import type { Body } from '../../api/client.ts';
import { send } from '../../api/send.ts';
import { RequestError, errorOf } from '../../api/request-error.ts';
import { download } from '../../components/download.ts';
import { baseName } from '../../components/list-file/file-name.ts';
import { noSearch, searchQuery, type SearchTexts } from '../../components/search/search-texts.ts';
import { parseCap, trialRows } from './cost/cost.ts';
import { fields, plainReading, type Draft, type MappedFile, type Reading } from './draft.ts';

/** More than the server reads, so that a compressed file has enough content. */
const headBytes = 1024 * 1024;

/** Reads the columns of a file of any size: of a CSV file from its start, of any other from all of it. @throws RequestError */
export async function readColumns(file: File, reading: Reading): Promise<Body<'ListColumns'>> {
  const query = readingQuery(file, reading);
  const readPart = async (part: Blob) =>
    (await post('/v1/lists/columns', query, file, part)) as Body<'ListColumns'>;
  if (file.size > headBytes) {
    const columns = await readPart(file.slice(0, headBytes)).catch(() => null);
    // The start of another format is rejected, or has only a part of its rows.
    if (columns?.format === 'csv') return columns;
  }
  return readPart(file);
}

/**
 * Reads the columns of a file. If the first line looks like data, it reads the file without a header, which the user can change.
 *
 * @param sheet name of the sheet of a workbook; empty: the first one with content.
 * @throws RequestError
 */
export async function detectReading(
  file: File,
  sheet = '',
): Promise<{ readonly reading: Reading; readonly columns: Body<'ListColumns'> }> {
  const columns = await readColumns(file, { ...plainReading, sheet });
  // The user sees the sheet among the others: a named one needs no remark.
  const reading = { ...plainReading, sheet: columns.sheets.length > 1 ? (columns.sheet ?? '') : sheet };
  if (columns.problem !== 'looks_like_data') return { reading, columns };
  const headerless = { ...reading, hasHeader: false };
  return { reading: headerless, columns: await readColumns(file, headerless) };
}

/** Checks the whole file with a dry run. @throws RequestError */
export async function checkBatch(mapped: MappedFile, search: SearchTexts): Promise<Body<'Check'>> {
  const query = batchQuery(mapped, search);
  query.set('dry_run', 'true');
  return (await post('/v1/batches', query, mapped.file)) as Body<'Check'>;
}

/** Media type of a file of any format: the server detects it by the content. */
export const fileType = 'application/octet-stream';

/** Maximum age of reused results, in days. */
export const reuseDays = 7;

/**
 * Starts a batch. The idempotency key of the draft makes repeated calls one batch.
 *
 * @param reuses reuses results of the last days, for free.
 * @throws RequestError
 */
export async function startBatch(
  draft: Draft,
  { reuses }: { readonly reuses: boolean },
): Promise<Body<'Batch'>> {
  const query = batchQuery(draft, draft.search);
  if (reuses) query.set('max_age', `${reuseDays}d`);
  if (draft.isTrial) query.set('limit', String(trialRows));
  if (draft.budget.trim() !== '') query.set('max_credits', draft.budget.trim());
  const cap = parseCap(draft.cap) ?? null;
  if (cap !== null) query.set('max_spend', cap);
  // Starts with and without reuse are different requests.
  const headers = { 'Idempotency-Key': reuses ? `${draft.key}-reuse` : draft.key };
  for (;;) {
    try {
      return (await post('/v1/batches', query, draft.file, draft.file, headers)) as Body<'Batch'>;
    } catch (error) {
      // The first request is still running; the server stores its response.
      if (!(error instanceof RequestError) || error.code !== 'idempotency_conflict') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Downloads all rejected rows. @throws RequestError */
export async function downloadRejected(draft: Draft): Promise<void> {
  await rejectChanged(draft.file);
  const path = `/v1/lists/rejected?${batchQuery(draft, noSearch).toString()}`;
  const init = { method: 'POST', headers: { 'Content-Type': fileType }, body: draft.file };
  await download(path, init, `${baseName(draft.file.name)}-rejected.csv`);
}

async function post(
  path: string,
  query: URLSearchParams,
  file: File,
  body: Blob = file,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  await rejectChanged(file);
  const init = { method: 'POST', headers: { 'Content-Type': fileType, ...headers }, body };
  const response = await send(`${path}?${query.toString()}`, init);
  if (!response.ok) throw await errorOf(response);
  return response.json();
}

/** Detects a file that changed on disk after its choice: a browser fails to send it, without a reason. @throws RequestError */
export async function rejectChanged(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new RequestError(`${file.name} was changed or moved. Choose it again.`, {
      code: 'file_changed',
      status: 0,
      requestId: null,
    });
  }
}

function readingQuery(file: File, { hasHeader, isStrict, ...reading }: Reading): URLSearchParams {
  const { delimiter, encoding, quote, escape, sheet, skipLines } = reading;
  const query = new URLSearchParams({ file_name: file.name.slice(0, 200) });
  if (!hasHeader) query.set('header', 'false');
  if (isStrict) query.set('strict', 'true');
  const texts = { delimiter, encoding, quote, escape, sheet, skip_lines: skipLines.trim() };
  for (const [name, text] of Object.entries(texts)) if (text !== '') query.set(name, text);
  return query;
}

function batchQuery(mapped: MappedFile, search: SearchTexts): URLSearchParams {
  const query = mappedQuery(mapped);
  query.set('operations', mapped.operations.join(','));
  for (const [name, value] of searchQuery(search)) query.set(name, value);
  return query;
}

/** Builds the query of a file's reading options and mapping. */
export function mappedQuery({
  file,
  reading,
  mapping,
}: Omit<MappedFile, 'operations' | 'columns'>): URLSearchParams {
  const query = readingQuery(file, reading);
  query.set('map', fields.map(({ name }) => `${name}=${mapping[name]}`).join(','));
  return query;
}
