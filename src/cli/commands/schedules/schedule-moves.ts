import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { scanJson, scheduleDetails, scheduleJson } from './schedule-view.ts';

/** Starts a scan manually. This process loads its batch; any worker runs the lookups. */
export const runSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { publicId } = await app.schedules.store.read(accountId, name);
  const requested = await app.schedules.store.run(accountId, publicId);
  await app.schedules.fire(publicId);
  const scans = await app.schedules.store.listScans(accountId, publicId, 10);
  const scan = scans.find((each) => each.publicId === requested.publicId) ?? requested;
  context.output.result(scanJson(scan), () => {
    if (scan.batch === null) return `${scan.publicId}: ${scan.state}, ${scan.reason ?? 'not started yet'}.`;
    return context.output.commands(
      `${scan.publicId} started as ${scan.batch}. Follow it with: nightshift watch ${scan.batch}`,
    );
  });
  return exitCodes.done;
};

/** Pauses a schedule: no further scan starts. */
export const pauseSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return show(context, await schedules.pause(accountId, name));
};

/** Resumes a schedule. */
export const resumeSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return show(context, await schedules.resume(accountId, name));
};

/** Removes a schedule permanently. */
export const removeSchedule: Command<[string], AccountOptions> = async (context, options, name) => {
  const {
    schedules: { store: schedules },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const schedule = await schedules.read(accountId, name);
  await schedules.remove(accountId, schedule.publicId);
  context.output.result(
    { id: schedule.publicId, name: schedule.name, removed: true },
    () => `${schedule.name} removed. Its scans and results are kept.`,
  );
  return exitCodes.done;
};

function show({ output }: CommandContext, schedule: Parameters<typeof scheduleJson>[0]): number {
  output.result(scheduleJson(schedule), () => scheduleDetails(schedule));
  return exitCodes.done;
}
