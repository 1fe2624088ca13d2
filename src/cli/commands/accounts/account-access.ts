import type { AccountOverview } from '../../../core/accounts/account-service.ts';
import {
  weightDefault,
  weightMax,
  type AccountLimits,
  type AccountSourceLimits,
  type LimitChanges,
} from '../../../core/accounts/account-limits.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { SourceCatalog } from '../../../sources/registry.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Options of `accounts limits`. */
export interface LimitOptions {
  readonly requestsPerMinute?: string;
  readonly openLookups?: string;
  readonly rowsPerBatch?: string;
  readonly weight?: string;
  readonly sourceConcurrency?: readonly string[];
  readonly sourceCallsPerDay?: readonly string[];
}

const fromHere = { actor: 'cli', address: null };

/** Maximum value of a limit, within the range of its column. */
const limitMax = 1_000_000_000;

/** Shows the limits of an account, or sets them. */
export const accountLimits: Command<[string], LimitOptions> = async ({ app, output }, options, name) => {
  const {
    accounts: { service: accountService },
    config,
  } = await app();
  const changes = readChanges(options, config.catalog);
  const account =
    Object.keys(changes).length === 0
      ? await accountService.read(name)
      : await accountService.setLimits(name, changes, fromHere);
  const defaults = {
    requestsPerMinute: config.api.rates.perAccount,
    openLookups: config.api.backlogMax,
    rowsPerBatch: 1_000_000,
    weight: weightDefault,
  };
  const sources = [...account.limitsAtSources].map(([source, limits]) => ({ source, ...limits }));
  output.result({ account: name, ...account.limits, sources }, () =>
    describeLimits(account, defaults, output.tableColumns()),
  );
  return exitCodes.done;
};

function readChanges(options: LimitOptions, catalog: SourceCatalog): LimitChanges {
  const names = ['requestsPerMinute', 'openLookups', 'rowsPerBatch', 'weight'] as const;
  const changes = Object.fromEntries(
    names.flatMap((name) => {
      const text = options[name];
      return text === undefined ? [] : [[name, readLimit(text, name === 'weight' ? weightMax : limitMax)]];
    }),
  );
  const atSources = readLimitsAtSources(options, catalog);
  return atSources.size === 0 ? changes : { ...changes, atSources };
}

/** Parses limits of the form `SOURCE=N`. */
function readLimitsAtSources(
  { sourceConcurrency = [], sourceCallsPerDay = [] }: LimitOptions,
  catalog: SourceCatalog,
): ReadonlyMap<string, Partial<AccountSourceLimits>> {
  const changes = new Map<string, Partial<AccountSourceLimits>>();
  const read = (text: string, limit: keyof AccountSourceLimits) => {
    const [source = '', value = ''] = text.split('=');
    if (catalog.findLive(source) === undefined)
      throw new ValidationError(
        `Invalid limit "${text}": must be SOURCE=NUMBER. ${catalog.suggestion(source)}`,
      );
    changes.set(source, { ...changes.get(source), [limit]: readLimit(value, limitMax) });
  };
  for (const text of sourceConcurrency) read(text, 'concurrency');
  for (const text of sourceCallsPerDay) read(text, 'callsPerDay');
  return changes;
}

function readLimit(text: string, most: number): number | null {
  if (text === 'default') return null;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0 && limit <= most) return limit;
  throw new ValidationError(`Invalid limit "${text}": must be an integer from 1 to ${most}, or default.`);
}

function describeLimits(
  { limits, limitsAtSources }: AccountOverview,
  defaults: Readonly<Record<keyof AccountLimits, number>>,
  columnsMax: number,
): string {
  const labels: readonly (readonly [keyof AccountLimits, string])[] = [
    ['requestsPerMinute', 'requests per minute'],
    ['openLookups', 'open lookups'],
    ['rowsPerBatch', 'rows per batch'],
    ['weight', 'weight'],
  ];
  return formatTable(
    ['limit', 'this account', 'default'],
    [
      ...labels.map(([name, label]) => [label, limits[name] ?? 'default', defaults[name]]),
      ...[...limitsAtSources].flatMap(([source, { concurrency, callsPerDay }]) => [
        [`calls to ${source} at a time`, concurrency ?? 'default', 'none'],
        [`calls to ${source} a day`, callsPerDay ?? 'default', 'none'],
      ]),
    ],
    columnsMax,
  );
}

/** Creates the database login of an account and shows it once, or removes it. */
export const accountLogin: Command<[string], { readonly remove?: boolean }> = async (
  { app, output },
  { remove },
  name,
) => {
  const {
    accounts: { store: accounts },
    sql: { logins },
  } = await app();
  const accountId = await accounts.find(name);
  if (remove === true) {
    await logins.remove(accountId, fromHere);
    output.result({ account: name, login: null }, () => `Login of ${name} removed and its sessions ended.`);
    return exitCodes.done;
  }
  const { role, url } = await logins.create(accountId, fromHere);
  output.note(
    `${role} can read the rows of ${name} only. Its password is shown once; run the command again for a new one.`,
  );
  output.result({ account: name, role, url }, () => url);
  return exitCodes.done;
};
