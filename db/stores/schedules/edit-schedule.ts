import { and, count, eq, isNull, ne, sql } from 'drizzle-orm';
import { Conflict, ValidationError } from '../../../src/core/errors.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import { newId } from '../../../src/core/ids.ts';
import { nextTicks } from '../../../src/core/schedules/ticks.ts';
import { parseCron } from '../../../src/core/schedules/cron.ts';
import type { Schedule, ScheduleFile, ScheduleTerms } from '../../../src/core/schedules/schedule.ts';
import { schedulesPerAccountMax } from '../../../src/core/schedules/schedule-store.ts';
import { parseTimeZone } from '../../../src/core/time/time-zone.ts';
import type { Sql } from '../../connection/client.ts';
import { webhooks } from '../../schema/events.ts';
import { schedules } from '../../schema/schedules.ts';
import { fireLocked, type LockedSchedule } from './fire-schedule.ts';
import { keepAnswer } from '../accounts/stored-responses.ts';
import { readSchedule } from './schedule-rows.ts';

/** See `ScheduleStore.add`. The caller's transaction. */
export async function addSchedule(
  db: Sql,
  accountId: number,
  terms: ScheduleTerms,
  file: ScheduleFile,
  kept: StoredResponse<Schedule> | null | undefined,
): Promise<Schedule> {
  const { name, cron, timeZone, sources } = terms;
  await rejectZone(db, timeZone);
  const publicId = newId('sch', Date.now());
  const columns = {
    ...columnsOfTerms(terms, await findWebhooks(db, accountId, terms.notify)),
    ...fileColumns(file),
  };
  await rejectTooMany(db, accountId);
  const nextAt = nextTick(terms, await readNow(db));
  const inserted = await db
    .insert(schedules)
    .values({
      ...columns,
      name,
      cron,
      timeZone,
      sources,
      publicId,
      accountId,
      tickedTo: sql`now()`,
      nextAt,
    })
    .onConflictDoNothing();
  if (inserted.rowCount === 0) throw nameIsTaken(terms.name);
  const schedule = await readSchedule(db, accountId, publicId);
  await keepAnswer(db, kept, schedule);
  return schedule;
}

async function rejectTooMany(db: Sql, accountId: number): Promise<void> {
  const [counted] = await db
    .select({ schedules: count() })
    .from(schedules)
    .where(and(eq(schedules.accountId, accountId), ne(schedules.state, 'removed')));
  if ((counted?.schedules ?? 0) < schedulesPerAccountMax) return;
  throw new Conflict(
    `The account has ${schedulesPerAccountMax} schedules, the maximum. Remove one, or put its companies into another.`,
  );
}

/** See `ScheduleStore.edit`. Ticks that are due by the previous pattern are handled first. */
export async function editSchedule(
  db: Sql,
  schedule: LockedSchedule,
  changes: Partial<ScheduleTerms>,
  file: ScheduleFile | undefined,
): Promise<void> {
  const { scheduleId, accountId, state, now } = schedule;
  await fireLocked(db, schedule);
  if (changes.timeZone !== undefined) await rejectZone(db, changes.timeZone);
  const notify = changes.notify === undefined ? undefined : await findWebhooks(db, accountId, changes.notify);
  const columns = {
    ...columnsOfTerms(changes, notify),
    ...(file === undefined ? {} : fileColumns(file)),
    ...(changes.cron === undefined && changes.timeZone === undefined
      ? {}
      : {
          revision: sql`${schedules.revision} + 1`,
          revisedAt: sql`now()`,
          ...(state === 'active'
            ? { tickedTo: sql`now()`, nextAt: nextTick({ ...schedule, ...changes }, now) }
            : {}),
        }),
  };
  if (Object.values(columns).every((value) => value === undefined)) return;
  await rejectName(db, schedule, changes.name);
  await db.update(schedules).set(columns).where(eq(schedules.id, scheduleId));
}

/** The first tick after a time. */
export function nextTick({ cron, timeZone }: Pick<ScheduleTerms, 'cron' | 'timeZone'>, after: Date): Date {
  const [next] = nextTicks(parseCron(cron, 'cron'), parseTimeZone(timeZone, 'time zone'), after, 1);
  if (next === undefined) throw new Error('A pattern has come to its end.');
  return next;
}

type ScheduleColumns = typeof schedules.$inferInsert;

/** Columns of the given fields; `notify` as ids. */
function columnsOfTerms(terms: Partial<ScheduleTerms>, notify: readonly number[] | null | undefined) {
  return { ...terms, notify } satisfies Partial<ScheduleColumns>;
}

function fileColumns({ fileName, content, options, companies }: ScheduleFile) {
  return {
    fileName,
    fileContent: content,
    fileOptions: options,
    companies,
  } satisfies Partial<ScheduleColumns>;
}

async function readNow(db: Sql): Promise<Date> {
  const { rows } = await db.execute<{ now: string }>(sql`SELECT now() AS now`);
  return new Date(rows[0]?.now ?? NaN);
}

/** Rejects a zone that this Postgres does not know: views use it too, and Postgres has its own tz database. @throws ValidationError */
export async function rejectZone(db: Sql, timeZone: string): Promise<void> {
  const known = await db.execute(sql`SELECT 1 FROM pg_timezone_names WHERE lower(name) = lower(${timeZone})`);
  if (known.rows.length > 0) return;
  throw new ValidationError(
    `The time zone "${timeZone}" is unknown to this Postgres. Use another name of it, such as that of its largest city.`,
  );
}

async function rejectName(db: Sql, { scheduleId, accountId }: LockedSchedule, name: string | undefined) {
  if (name === undefined) return;
  const { id, state } = schedules;
  const isAnother = and(ne(state, 'removed'), ne(id, scheduleId));
  const [taken] = await db
    .select({ id })
    .from(schedules)
    .where(and(eq(schedules.accountId, accountId), eq(schedules.name, name), isAnother));
  if (taken !== undefined) throw nameIsTaken(name);
}

function nameIsTaken(name: string): Conflict {
  return new Conflict(`There is a schedule "${name}" already. Choose another name.`);
}

/** Ids of an account's webhooks by name or public id. @throws ValidationError that lists the existing ones. */
async function findWebhooks(
  db: Sql,
  accountId: number,
  notify: readonly string[] | null,
): Promise<readonly number[] | null> {
  if (notify === null) return null;
  const { id, name: webhookName, publicId } = webhooks;
  const known = await db
    .select({ id, name: webhookName, publicId })
    .from(webhooks)
    .where(and(eq(webhooks.accountId, accountId), isNull(webhooks.userId), ne(webhooks.state, 'removed')))
    .orderBy(webhookName);
  return notify.map((wanted) => {
    const found = known.find((each) => each.name === wanted || each.publicId === wanted);
    if (found !== undefined) return found.id;
    const there =
      known.length === 0 ? 'There are none yet' : `There are: ${known.map(({ name }) => name).join(', ')}`;
    throw new ValidationError(`There is no webhook "${wanted}" to notify. ${there}.`, { where: 'notify' });
  });
}
