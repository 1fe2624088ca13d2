import type { Body } from '../../api/client.ts';
import { send } from '../../api/send.ts';
import { errorOf } from '../../api/request-error.ts';
import type { MappedList } from '../new-batch/draft.ts';
import { mappedQuery, rejectChanged } from '../new-batch/submit.ts';
import type { Entered } from './schedule-form.tsx';
import { toFields } from './terms.ts';
import { toCron } from './recurrence.ts';

type Schedule = Body<'Schedule'>;

/** Makes a schedule; the same key twice is one. @throws Trouble */
export async function addSchedule(list: MappedList, entered: Entered, key: string): Promise<Schedule> {
  const query = mappedQuery(list);
  const { name, when, zone, texts } = entered;
  query.set('name', name);
  query.set('cron', toCron(when));
  query.set('time_zone', zone);
  for (const [field, value] of toFields(texts)) query.set(field, value);
  return upload('POST', `/v1/schedules?${query.toString()}`, list.file, { 'Idempotency-Key': key });
}

/** Gives a schedule another list in place of the one it has. @throws Trouble */
export async function replaceList(id: string, list: MappedList): Promise<Schedule> {
  return upload('PATCH', `/v1/schedules/${id}?${mappedQuery(list).toString()}`, list.file, {});
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
    headers: { 'Content-Type': 'text/csv', ...headers },
    body: file,
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as Schedule;
}
