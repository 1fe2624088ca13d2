import { api, read, type Body } from '../../api/client.ts';
import { send } from '../../api/send.ts';
import { errorOf } from '../../api/request-error.ts';
import type { MappedFile } from '../new-batch/draft.ts';
import { fileType, mappedQuery, rejectChanged } from '../new-batch/submit.ts';
import type { ScheduleDraft } from './schedule-form.tsx';
import { toChanges, toFields } from './terms.ts';
import { toCron } from './recurrence.ts';

type Schedule = Body<'Schedule'>;

/**
 * Creates a schedule for a file, or for the rows of a batch: the server has its options, so that only those that differ from `before` are
 * sent. Repeated calls with the same key create one. @throws RequestError
 */
export async function createSchedule(
  companies: MappedFile | string,
  {
    draft,
    before,
    key,
  }: { readonly draft: ScheduleDraft; readonly before: ScheduleDraft; readonly key: string },
): Promise<Schedule> {
  const { name, recurrence, zone, texts } = draft;
  const terms = { name, cron: toCron(recurrence), time_zone: zone };
  if (typeof companies === 'string') {
    const params = { header: { 'Idempotency-Key': key } };
    const body = { ...toChanges(texts, before.texts), ...terms, batch: companies };
    return read(api.POST('/v1/schedules', { params, body }));
  }
  const query = mappedQuery(companies);
  for (const [field, value] of Object.entries(terms)) query.set(field, value);
  for (const [field, value] of toFields(texts)) query.set(field, value);
  return upload('POST', `/v1/schedules?${query.toString()}`, companies.file, { 'Idempotency-Key': key });
}

/** Replaces the companies of a schedule. @throws RequestError */
export async function replaceFile(id: string, companies: MappedFile): Promise<Schedule> {
  return upload('PATCH', `/v1/schedules/${id}?${mappedQuery(companies).toString()}`, companies.file, {});
}

async function upload(
  method: 'POST' | 'PATCH',
  path: string,
  file: File,
  headers: Readonly<Record<string, string>>,
): Promise<Schedule> {
  await rejectChanged(file);
  const response = await send(path, {
    method,
    headers: { 'Content-Type': fileType, ...headers },
    body: file,
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Schedule;
}
