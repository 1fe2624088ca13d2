import { readAge } from '../../core/ads/read-age.ts';
import { ValidationError } from '../../core/errors.ts';
import { changeKinds, type ChangeKind } from '../../core/scans/ad-change.ts';
import type { ChangeFilter, ChangePlace, ListedChange } from '../../core/scans/change-list.ts';
import { chooseAccount, type AccountOptions } from '../choose-account.ts';
import { changesText } from '../changes-view.ts';
import type { Command } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { nameCompany } from '../name-company.ts';

export interface ChangesOptions extends AccountOptions {
  readonly since?: string;
  readonly kind?: readonly ChangeKind[];
  readonly company?: string;
  readonly all?: boolean;
  readonly limit?: string;
}

const limitDefault = 1000;
const limitMax = 100_000;
/** Read at a time. */
const pageSize = 1000;

/** What changed from one scan to the next, for one schedule or for all of the account. */
export const changes: Command<[string | undefined], ChangesOptions> = async (context, options, schedule) => {
  const { since, kind, company, all = false } = options;
  const limit = readLimit(options.limit);
  const filter: ChangeFilter = {
    schedule: schedule ?? null,
    kinds: kind ?? (all ? changeKinds : null),
    companyKey: company === undefined ? null : nameCompany(context.output, company).key,
    since: null,
    ageMsMax: since === undefined ? null : readAge(since, '--since'),
  };
  const { accountId } = await chooseAccount(context, options);
  const { changes: list } = await context.app();
  const found: ListedChange[] = [];
  for (let after: ChangePlace | null = null; found.length <= limit;) {
    const page = await list.list(accountId, filter, {
      limit: Math.min(pageSize, limit + 1 - found.length),
      after,
    });
    found.push(...page);
    after = page.at(-1)?.place ?? null;
    if (page.length === 0) break;
  }
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  context.output.result({ changes: shown.map(changeJson), hasMore }, () =>
    changesText(shown, hasMore, context.output),
  );
  return exitCodes.done;
};

/** @throws ValidationError */
function readLimit(text: string | undefined): number {
  if (text === undefined) return limitDefault;
  const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= limitMax) return limit;
  throw new ValidationError(`--limit ${text}: write a number from 1 to ${limitMax}.`);
}

function changeJson(change: ListedChange) {
  return {
    schedule: change.schedule,
    scheduleId: change.scheduleId,
    scan: change.scan,
    companyDomain: change.companyDomain,
    companyName: change.companyName,
    kind: change.kind,
    reason: change.reason,
    ad: lookJson(change.ad),
    before: change.before === null ? null : lookJson(change.before),
    ranFrom: change.ranFrom,
    ranTo: change.ranTo,
    restsOn: change.restsOn,
    observedAt: change.observedAt,
    createdAt: change.createdAt,
  };
}

function lookJson(ad: ListedChange['ad']) {
  const { advertiserId, creativeId, advertiserName, format, originalUrl, variants, text } = ad;
  return { advertiserId, creativeId, advertiserName, format, originalUrl, variants, ...(text ?? {}) };
}
