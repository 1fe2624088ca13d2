import { isFinal } from '../../../core/batches/batch.ts';
import type { ChangeKind } from '../../../core/changes/ad-change.ts';
import type { ChangeFilter, ListedChange } from '../../../core/changes/change-list.ts';
import { Conflict, ValidationError } from '../../../core/errors.ts';
import { standardTerms, type Schedule } from '../../../core/schedules/schedule.ts';
import { sleep } from '../../../core/async/wait.ts';
import { addDays } from '../../../core/time/day.ts';
import { machineZone } from '../../../core/time/time-zone.ts';
import { chooseAccount } from '../../context/choose-account.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { runWorkers } from '../../process/run-workers.ts';
import { formatTable } from '../../terminal/format-table.ts';
import { followBatch } from '../batches/follow-batch.ts';
import { readCompanyFile } from '../schedules/schedule-edit.ts';
import { loadSample } from '../sources/snapshot-load.ts';

/** Name of the demo's schedule. */
const scheduleName = 'demo';
const listedMax = 5;
const pollEveryMs = 100;

/**
 * Scans a file with the sample of yesterday and with that of today, so that there are changes to show. The schedule of the scans stays, paused.
 * Does nothing if the sample of today is loaded already, because it never goes back, or if the schedule exists.
 *
 * @throws the signal's reason when it aborts.
 */
export async function scanTwoDays(context: CommandContext, file: string): Promise<void> {
  const { sources } = await context.app();
  const today = await sources.snapshots.today();
  const loaded = (await sources.snapshots.find('sample'))?.asOf ?? null;
  if (loaded !== null && loaded >= today) return;
  await sources.sample.holdWhile(async () => {
    if (!(await loadYesterday(context, addDays(today, -1)))) return;
    const schedule = await addSchedule(context, file);
    if (schedule === null) return;
    const running = await runWorkers(await context.app());
    try {
      const isScanned = await scan(context, schedule);
      await loadSample(context, { asOf: today, title: 'Loading the sample of today' });
      if (isScanned) await scan(context, schedule);
    } finally {
      await running.close();
    }
  });
}

/** Returns false if another process has loaded a later sample meanwhile. */
async function loadYesterday(context: CommandContext, asOf: string): Promise<boolean> {
  try {
    await loadSample(context, { asOf, title: 'Loading the sample of yesterday' });
    return true;
  } catch (error) {
    if (error instanceof ValidationError) return false;
    throw error;
  }
}

/** Changes that the scans of the demo found: their counts, and the first ones. */
export interface DemoChanges {
  readonly counts: ReadonlyMap<ChangeKind, number>;
  readonly listed: readonly ListedChange[];
}

/** Reads the changes of the demo's schedule; null without any. */
export async function readDemoChanges(context: CommandContext): Promise<DemoChanges | null> {
  const { changes, store } = (await context.app()).schedules;
  const { accountId } = await chooseAccount(context, {});
  const schedules = await store.list(accountId, schedulesListed);
  const found = schedules.find(({ name, sources }) => name === scheduleName && sources.includes('sample'));
  if (found === undefined) return null;
  const schedule = found.publicId;
  const filter: ChangeFilter = {
    schedule,
    kinds: null,
    format: null,
    companyKey: null,
    since: null,
    scan: null,
    day: null,
  };
  const counts = await changes.count(accountId, filter);
  const listed = await changes.list(accountId, filter, { limit: listedMax, after: null });
  return listed.length === 0 ? null : { counts, listed };
}

/** As many as an account can have. */
const schedulesListed = 1000;

/** Formats the first changes as a table. The links of sample ads lead nowhere, so it has none. */
export function changesTable({ counts, listed }: DemoChanges, columnsMax: number): string {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const table = formatTable(
    ['change', 'company', 'ad', { title: 'format', hide: 1 }],
    listed.map(({ kind, companyDomain, companyName, ad }) => [
      kind,
      companyDomain ?? companyName ?? '',
      ad.text?.headline ?? ad.creativeId ?? '',
      ad.format ?? '',
    ]),
    columnsMax,
  );
  return listed.length === total ? table : `${table}\nand ${total - listed.length} more`;
}

/** Adds the schedule, paused; null if there is one, such as that of another process. */
async function addSchedule(context: CommandContext, file: string): Promise<Schedule | null> {
  const { store } = (await context.app()).schedules;
  const { accountId } = await chooseAccount(context, {});
  const companies = await readCompanyFile(context, file, { accountId });
  const terms = { ...standardTerms, name: scheduleName, cron: '0 2 * * *', timeZone: machineZone() };
  try {
    const { publicId } = await store.add(accountId, { ...terms, sources: ['sample'] }, companies.file);
    return await store.pause(accountId, publicId);
  } catch (error) {
    if (error instanceof Conflict) return null;
    throw error;
  }
}

/** Runs a scan until its changes are known. Returns false if it waits for the user, such as for credits. */
async function scan(context: CommandContext, { publicId: schedule }: Schedule): Promise<boolean> {
  const app = await context.app();
  const { store } = app.schedules;
  const { accountId } = await chooseAccount(context, {});
  const { scanId, publicId } = await store.run(accountId, schedule);
  await app.schedules.fire(schedule);
  const scans = await store.listScans(accountId, schedule, 1);
  const batch = scans.find((each) => each.publicId === publicId)?.batch ?? null;
  if (batch === null) return false;
  const { state } = await followBatch(context, { accountId, publicId: batch }, 'Scanning');
  if (!isFinal(state)) return false;
  const isEvaluated = async () =>
    ((await store.readResults(accountId, [scanId])).get(scanId)?.evaluatedAt ?? null) !== null;
  while (!(await isEvaluated())) await sleep(pollEveryMs, context.signal);
  return true;
}
