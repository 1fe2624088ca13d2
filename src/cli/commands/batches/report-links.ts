import type { App } from '../../../app/app.ts';
import { createToken, digestToken } from '../../../core/accounts/token.ts';
import { NotFound, ValidationError } from '../../../core/errors.ts';
import { momentText } from '../../../core/reports/days.ts';
import {
  linkDaysMax,
  linkDaysUsual,
  sharedReportUrl,
  type ReportLink,
  type ReportSubject,
} from '../../../core/reports/report-links.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch, isBatchOnly } from '../../context/choose-batch.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { serviceUrl } from '../../context/service-url.ts';
import { formatTable } from '../../terminal/format-table.ts';

const fromHere = { actor: 'cli', address: null };

/** Creates a link to the report of a batch or a schedule, and prints it. */
export async function shareReport(
  context: CommandContext,
  options: AccountOptions & { readonly days?: string },
  named: string,
): Promise<number> {
  const days = parseLinkDays(options.days);
  const baseUrl = serviceUrl(context.config());
  const app = await context.app();
  const { accountId, subject } = await chooseReport(context, options, named);
  const token = createToken();
  const created = { digest: digestToken(token), days, by: fromHere };
  const link = await app.accounts.reportLinks.create(accountId, subject, created);
  const url = sharedReportUrl(baseUrl, token);
  context.output.note(
    `Everyone with this link can read the report until ${momentText(link.expiresAt)}, while \`nightshift up\` or \`serve\` runs. ` +
      `Revoke it with: nightshift report-links revoke ${link.linkId}`,
  );
  context.output.result({ ...linkJson(link), link: url }, () => url);
  return exitCodes.done;
}

/** Lists the links to a report, or to all reports of the account. */
export const listReportLinks: Command<[string | undefined], AccountOptions> = async (
  context,
  options,
  named,
) => {
  const { reportLinks } = (await context.app()).accounts;
  const { accountId, subject } =
    named === undefined
      ? { ...(await chooseAccount(context, options)), subject: null }
      : await chooseReport(context, options, named);
  const links = await reportLinks.list(accountId, subject);
  context.output.result(links.map(linkJson), () =>
    links.length === 0
      ? context.output.commands('No links. Create one with: nightshift report NAME --share')
      : formatTable(
          [
            'id',
            'report of',
            'state',
            { title: 'expires', hide: 3 },
            { title: 'created by', hide: 1 },
            { title: 'opened', hide: 2 },
          ],
          links.map((link) => [
            link.linkId,
            link.subject.name,
            link.state,
            link.expiresAt,
            link.owner.name ?? link.owner.id,
            String(link.opened),
          ]),
          context.output.tableColumns(),
        ),
  );
  return exitCodes.done;
};

/** Lists the links to all reports of the account. */
export const listAllReportLinks: Command<[], AccountOptions> = (context, options) =>
  listReportLinks(context, options, undefined);

/** Revokes a link to a report, with immediate effect. */
export const revokeReportLink: Command<[string], AccountOptions> = async (context, options, linkId) => {
  const { reportLinks } = (await context.app()).accounts;
  const { accountId } = await chooseAccount(context, options);
  await reportLinks.revoke(accountId, linkId, fromHere);
  context.output.result({ id: linkId, revoked: true }, () => `${linkId} revoked.`);
  return exitCodes.done;
};

/** Returns the batch or schedule of a name. A name that a schedule and a batch share is that of the schedule. */
async function chooseReport(
  context: CommandContext,
  options: AccountOptions,
  named: string,
): Promise<{ readonly accountId: number; readonly subject: ReportSubject }> {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const schedule = isBatchOnly(named) ? null : await findSchedule(app, accountId, named);
  if (schedule !== null) return { accountId, subject: { kind: 'schedule', id: schedule } };
  const { publicId } = await chooseBatch(context, options, named);
  return { accountId, subject: { kind: 'batch', id: publicId } };
}

/** Returns the id of a schedule; null if only a batch has the name. @throws NotFound when neither has it */
async function findSchedule({ schedules, batches }: App, accountId: number, named: string) {
  try {
    return (await schedules.store.read(accountId, named)).publicId;
  } catch (error) {
    if (!(error instanceof NotFound) || (await batches.store.findNamed(accountId, named, 1)).length === 0)
      throw error;
    return null;
  }
}

function linkJson({ linkId, subject, state, owner, createdAt, expiresAt, opened, openedAt }: ReportLink) {
  return {
    id: linkId,
    [subject.kind]: subject.id,
    name: subject.name,
    state,
    createdBy: owner.name ?? owner.id,
    created: createdAt,
    expires: expiresAt,
    opened,
    lastOpened: openedAt,
  };
}

function parseLinkDays(text: string | undefined): number {
  if (text === undefined) return linkDaysUsual;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= linkDaysMax) return days;
  throw new ValidationError(`--days ${text}: with --share, must be an integer from 1 to ${linkDaysMax}.`);
}
