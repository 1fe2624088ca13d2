import type { Body } from '../../api/client.ts';
import { send } from '../../api/send.ts';
import { Failure, errorOf } from '../../api/request-error.ts';
import { download } from '../../components/download.ts';
import { trialRows } from './cost.ts';
import { fields, plainReading, type Draft, type MappedList, type Reading } from './draft.ts';

/** More than the server looks at: of a compressed file that it needs is in there as well. */
const headBytes = 1024 * 1024;

/** Reads the columns of a file from its beginning, however large it is. @throws Trouble */
export async function readColumns(file: File, reading: Reading): Promise<Body<'ListColumns'>> {
  const query = readingQuery(file, reading);
  return (await post('/v1/lists/columns', query, file, file.slice(0, headBytes))) as Body<'ListColumns'>;
}

/**
 * Reads the columns of a file; where it seems to have no header, without one, which is said on the page and can be turned round there.
 *
 * @throws Trouble
 */
export async function understand(
  file: File,
): Promise<{ readonly reading: Reading; readonly columns: Body<'ListColumns'> }> {
  const columns = await readColumns(file, plainReading);
  if (columns.problem !== 'looks_like_data') return { reading: plainReading, columns };
  const reading = { ...plainReading, hasHeader: false };
  return { reading, columns: await readColumns(file, reading) };
}

/** Checks the whole file against a source; null: the default of the service. @throws Failure */
export async function checkList(list: MappedList, source: string | null): Promise<Body<'Check'>> {
  const query = listQuery(list);
  if (source !== null) query.set('source', source);
  query.set('dry_run', 'true');
  return (await post('/v1/batches', query, list.file)) as Body<'Check'>;
}

/** Maximum age of reused answers, in days. */
export const reuseDays = 7;

/**
 * Starts it; the same key twice is one batch.
 *
 * @param reuses answers of the last days count, free.
 * @throws Trouble
 */
export async function startList(
  draft: Draft,
  { reuses }: { readonly reuses: boolean },
): Promise<Body<'Batch'>> {
  const query = listQuery(draft);
  if (draft.source !== null) query.set('source', draft.source);
  if (reuses) query.set('max_age', `${reuseDays}d`);
  if (draft.isProbe) query.set('limit', String(trialRows));
  if (draft.budget.trim() !== '') query.set('max_credits', draft.budget.trim());
  // Two ways to start are two requests.
  const headers = { 'Idempotency-Key': reuses ? `${draft.key}-reuse` : draft.key };
  for (;;) {
    try {
      return (await post('/v1/batches', query, draft.file, draft.file, headers)) as Body<'Batch'>;
    } catch (error) {
      // The first try is still under way; its answer is kept for us.
      if (!(error instanceof Failure) || error.code !== 'idempotency_conflict') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Downloads all rejected rows. @throws Trouble */
export async function downloadRejected(draft: Draft): Promise<void> {
  await rejectChanged(draft.file);
  const path = `/v1/lists/rejected?${listQuery(draft).toString()}`;
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

/** A file that was changed on the disk since it was chosen cannot be sent, and the browser would say no more than that it failed. */
export async function rejectChanged(file: File): Promise<void> {
  try {
    await file.slice(0, 1).arrayBuffer();
  } catch {
    throw new Failure(`${file.name} was changed or moved since you chose it. Choose it again.`, {
      code: 'file_changed',
      status: 0,
      requestId: null,
    });
  }
}

function readingQuery(file: File, { hasHeader, delimiter, encoding }: Reading): URLSearchParams {
  const query = new URLSearchParams({ file_name: file.name.slice(0, 200) });
  if (!hasHeader) query.set('header', 'false');
  if (delimiter !== '') query.set('delimiter', delimiter);
  if (encoding !== '') query.set('encoding', encoding);
  return query;
}

function listQuery(list: MappedList): URLSearchParams {
  const query = mappedQuery(list);
  query.set('operations', list.operations.join(','));
  return query;
}

/** Reading options of a file, as the API takes them. */
export function mappedQuery({
  file,
  reading,
  columns,
  mapping,
}: Omit<MappedList, 'operations'>): URLSearchParams {
  const query = readingQuery(file, reading);
  // Names that were mended are told to whoever reads the whole list.
  if (columns.problem !== null) query.set('columns', columns.columns.map(({ name }) => name).join(','));
  query.set('map', fields.map(({ name }) => `${name}=${mapping[name]}`).join(','));
  return query;
}
