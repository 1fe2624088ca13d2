import type { Body } from '../../api/client.ts';
import { send } from '../../api/send.ts';
import { RequestError, errorOf } from '../../api/request-error.ts';
import { download } from '../../components/download.ts';
import { trialRows } from './cost.ts';
import { fields, plainReading, type Draft, type MappedFile, type Reading } from './draft.ts';

/** More than the server reads, so that a compressed file has enough content. */
const headBytes = 1024 * 1024;

/** Reads the columns from the start of a file of any size. @throws RequestError */
export async function readColumns(file: File, reading: Reading): Promise<Body<'ListColumns'>> {
  const query = readingQuery(file, reading);
  return (await post('/v1/lists/columns', query, file, file.slice(0, headBytes))) as Body<'ListColumns'>;
}

/**
 * Reads the columns of a file. If the first line looks like data, it reads the file without a header, which the user can change.
 *
 * @throws RequestError
 */
export async function detectReading(
  file: File,
): Promise<{ readonly reading: Reading; readonly columns: Body<'ListColumns'> }> {
  const columns = await readColumns(file, plainReading);
  if (columns.problem !== 'looks_like_data') return { reading: plainReading, columns };
  const reading = { ...plainReading, hasHeader: false };
  return { reading, columns: await readColumns(file, reading) };
}

/** Checks the whole file with a dry run; source null: the default of the service. @throws RequestError */
export async function checkBatch(mapped: MappedFile, source: string | null): Promise<Body<'Check'>> {
  const query = batchQuery(mapped);
  if (source !== null) query.set('source', source);
  query.set('dry_run', 'true');
  return (await post('/v1/batches', query, mapped.file)) as Body<'Check'>;
}

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
  const query = batchQuery(draft);
  if (draft.source !== null) query.set('source', draft.source);
  if (reuses) query.set('max_age', `${reuseDays}d`);
  if (draft.isTrial) query.set('limit', String(trialRows));
  if (draft.budget.trim() !== '') query.set('max_credits', draft.budget.trim());
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
  const path = `/v1/lists/rejected?${batchQuery(draft).toString()}`;
  const init = { method: 'POST', headers: { 'Content-Type': 'text/csv' }, body: draft.file };
  await download(path, init, `${draft.file.name.replace(/\.\w+(\.gz)?$/, '')}-rejected.csv`);
}

async function post(
  path: string,
  query: URLSearchParams,
  file: File,
  body: Blob = file,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  await rejectChanged(file);
  const init = { method: 'POST', headers: { 'Content-Type': 'text/csv', ...headers }, body };
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
  const { delimiter, encoding, quote, escape, skipLines } = reading;
  const query = new URLSearchParams({ file_name: file.name.slice(0, 200) });
  if (!hasHeader) query.set('header', 'false');
  if (isStrict) query.set('strict', 'true');
  const texts = { delimiter, encoding, quote, escape, skip_lines: skipLines.trim() };
  for (const [name, text] of Object.entries(texts)) if (text !== '') query.set(name, text);
  return query;
}

function batchQuery(mapped: MappedFile): URLSearchParams {
  const query = mappedQuery(mapped);
  query.set('operations', mapped.operations.join(','));
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
