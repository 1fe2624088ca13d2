import type { AccountOverview } from '../../../core/accounts/account-service.ts';
import type { AccountLimits } from '../../../core/accounts/account-limits.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

export interface LimitOptions {
  readonly requestsPerMinute?: string;
  readonly openLookups?: string;
  readonly rowsPerBatch?: string;
}

const fromHere = { actor: 'cli', address: null };

/** Beyond this no column of ours counts. */
const limitMost = 1_000_000_000;

/** Shows the limits of an account, or sets them. */
export const accountLimits: Command<[string], LimitOptions> = async ({ app, output }, options, name) => {
  const changes = readChanges(options);
  const {
    accounts: { service: accountService },
    config,
  } = await app();
  const account =
    Object.keys(changes).length === 0
      ? await accountService.read(name)
      : await accountService.setLimits(name, changes, fromHere);
  const defaults = {
    requestsPerMinute: config.api.rates.perAccount,
    openLookups: config.api.backlogMax,
    rowsPerBatch: 1_000_000,
  };
  output.result({ account: name, ...account.limits }, () => describeLimits(account, defaults));
  return exitCodes.done;
};

function readChanges(options: LimitOptions): Partial<AccountLimits> {
  const names = ['requestsPerMinute', 'openLookups', 'rowsPerBatch'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = options[name];
      return text === undefined ? [] : [[name, readLimit(text)]];
    }),
  );
}

function readLimit(text: string): number | null {
  if (text === 'default') return null;
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0 && limit <= limitMost) return limit;
  throw new ValidationError(`"${text}" is no limit: write a whole number above 0, or default.`);
}

function describeLimits(
  { limits }: AccountOverview,
  defaults: Readonly<Record<keyof AccountLimits, number>>,
): string {
  const words: readonly (readonly [keyof AccountLimits, string])[] = [
    ['requestsPerMinute', 'requests a minute'],
    ['openLookups', 'companies and addresses in line'],
    ['rowsPerBatch', 'rows of a list'],
  ];
  return formatTable(
    ['limit', 'of this account', 'default'],
    words.map(([name, about]) => [
      about,
      limits[name]?.toLocaleString('en-US') ?? 'default',
      defaults[name].toLocaleString('en-US'),
    ]),
  );
}

/** Makes the account's own login to the database and shows it, once; or takes it away. */
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
    output.result(
      { account: name, login: null },
      () => `The login of ${name} is removed, and its sessions have ended.`,
    );
    return exitCodes.done;
  }
  const { role, url } = await logins.create(accountId, fromHere);
  output.note(
    `${role} reads the rows of ${name}, and nothing else. Its password is shown this once; running this again makes a new one.`,
  );
  output.result({ account: name, role, url }, () => url);
  return exitCodes.done;
};
