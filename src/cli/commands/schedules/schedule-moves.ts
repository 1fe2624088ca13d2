import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { scanJson, scheduleDetails, scheduleJson } from './schedule-view.ts';

/** Begins a scan by hand: its batch is loaded here, and whoever works takes it up. */
export const runSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { publicId } = await app.schedules.store.read(accountId, name);
  const asked = await app.schedules.store.run(accountId, publicId);
  await app.schedules.fire(publicId);
  const scans = await app.schedules.store.listScans(accountId, publicId, 10);
  const scan = scans.find((each) => each.publicId === asked.publicId) ?? asked;
  context.output.result(scanJson(scan), () => {
    if (scan.batch === null) return `${scan.publicId}: ${scan.state}, ${scan.reason ?? 'not begun yet'}.`;
    return `${scan.publicId} has begun as ${scan.batch}. Follow it: nightshift watch ${scan.batch}`;
  });
  return exitCodes.done;
};

/** Begins no more scans of a schedule for now. */
export const pauseSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return show(context, await schedules.pause(accountId, name));
};

/** Begins scans of it again, from now on. */
export const resumeSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return show(context, await schedules.resume(accountId, name));
};

/** Removes it for good. */
export const removeSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const schedule = await schedules.read(accountId, name);
  await schedules.remove(accountId, schedule.publicId);
  context.output.result(
    { id: schedule.publicId, name: schedule.name, removed: true },
    () => `${schedule.name} is removed. Its scans and what they found stay.`,
  );
  return exitCodes.done;
};

function show({ output }: CommandContext, schedule: Parameters<typeof scheduleJson>[0]): number {
  output.result(scheduleJson(schedule), () => scheduleDetails(schedule));
  return exitCodes.done;
}
