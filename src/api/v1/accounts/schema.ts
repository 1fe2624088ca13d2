import { z } from '@hono/zod-openapi';
import type { AccountOverview } from '../../../core/accounts/account-service.ts';
import { weightDefault, weightMax, type LimitChanges } from '../../../core/accounts/account-limits.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { text } from '../../http/text.ts';
import { nextCursor } from '../../http/pages.ts';

/** Maximum number of data rows of any file; see `defaultFileLimits` of the producer. */
const rowsMost = 1_000_000;

const limit = (most: number, description: string) =>
  z
    .int()
    .min(1)
    .max(most)
    .nullable()
    .openapi({ description: `${description} Null for the default of the service.` });

const limits = {
  requests_per_minute: limit(
    1_000_000,
    'Maximum number of requests per minute, with all keys and sessions of the account together.',
  ),
  open_lookups: limit(
    1_000_000_000,
    'Maximum number of companies and addresses in batches that are not finished.',
  ),
  rows_per_batch: limit(rowsMost, 'Maximum number of data rows of a batch or a schedule.'),
  weight: limit(
    weightMax,
    'Share of the work of batches beside other accounts: an account with weight 3 gets three times the calls of one with weight 1.',
  ),
};

const callsMost = 1_000_000_000;
const ofSource = {
  concurrency: z
    .int()
    .min(1)
    .max(callsMost)
    .nullable()
    .openapi({ description: 'Maximum number of calls in flight. Null for no limit of the account.' }),
  calls_per_day: z
    .int()
    .min(1)
    .max(callsMost)
    .nullable()
    .openapi({ description: 'Maximum number of calls per day, UTC. Null for no limit of the account.' }),
};
const sourceName = text().min(1).max(100).openapi({ description: 'Id of a source.' });
const sourcesDescription = 'Limits of the account at sources, within those of the sources.';

export const accountLimitsRequest = z
  .strictObject({
    requests_per_minute: limits.requests_per_minute.optional(),
    open_lookups: limits.open_lookups.optional(),
    rows_per_batch: limits.rows_per_batch.optional(),
    weight: limits.weight.optional(),
    sources: z
      .array(
        z.strictObject({
          source: sourceName,
          concurrency: ofSource.concurrency.optional(),
          calls_per_day: ofSource.calls_per_day.optional(),
        }),
      )
      .max(100)
      .optional()
      .openapi({ description: sourcesDescription }),
  })
  .openapi('AccountLimitsRequest');

export function toLimitChanges(given: z.infer<typeof accountLimitsRequest>): LimitChanges {
  const {
    requests_per_minute: requestsPerMinute,
    open_lookups: openLookups,
    rows_per_batch: rowsPerBatch,
    weight,
    sources,
  } = given;
  return {
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    ...(openLookups === undefined ? {} : { openLookups }),
    ...(rowsPerBatch === undefined ? {} : { rowsPerBatch }),
    ...(weight === undefined ? {} : { weight }),
    ...(sources === undefined ? {} : { atSources: new Map(sources.map(toSourceLimits)) }),
  };
}

type SourceLimitsRequest = NonNullable<z.infer<typeof accountLimitsRequest>['sources']>[number];

function toSourceLimits({ source, concurrency, calls_per_day: callsPerDay }: SourceLimitsRequest) {
  const limits = {
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(callsPerDay === undefined ? {} : { callsPerDay }),
  };
  return [source, limits] as const;
}

export const operatorAccountBody = z
  .object({
    name: z.string(),
    balance: z.number().openapi({ description: 'Available credits.' }),
    held: z.number().openapi({ description: 'Credits reserved for open lookups.' }),
    keys: z.int().openapi({ description: 'Number of valid API keys.' }),
    users: z.int().openapi({ description: 'Number of users who can sign in.' }),
    open_lookups: z
      .int()
      .openapi({ description: 'Number of companies and addresses in its batches without an outcome.' }),
    limits: z.object(limits),
    source_limits: z
      .array(z.object({ source: sourceName, ...ofSource }))
      .openapi({ description: sourcesDescription }),
    default_limits: z.object({
      requests_per_minute: z.int(),
      open_lookups: z.int().openapi({ description: 'Limit of all accounts together.' }),
      rows_per_batch: z.int(),
      weight: z.int(),
    }),
    has_sql_login: z
      .boolean()
      .openapi({ description: 'True if the account has its own login to the database.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('OperatorAccount');

export const operatorAccountListBody = z
  .object({
    accounts: z.array(operatorAccountBody),
    next: nextCursor,
  })
  .openapi('OperatorAccountList');

export const accountRequest = z
  .strictObject({
    name: text()
      .min(1)
      .max(200)
      .refine((name) => name.trim() === name, { error: 'must not begin or end with spaces' }),
  })
  .openapi('AccountRequest');

export const grantRequest = z
  .strictObject({
    credits: z
      .number()
      .positive()
      .max(1_000_000_000)
      .openapi({ description: 'Number of credits to grant, with at most six decimal places.' }),
    reason: text()
      .trim()
      .min(1)
      .max(500)
      .openapi({ description: 'Reason for the grant. Appears in the ledger and the audit log.' }),
  })
  .openapi('GrantRequest');

/** Default limits of an account. */
export interface DefaultLimits {
  readonly requestsPerMinute: number;
  readonly openLookups: number;
}

export function toOperatorAccountBody(
  account: AccountOverview,
  defaults: DefaultLimits,
): z.infer<typeof operatorAccountBody> {
  return {
    name: account.name,
    balance: creditsNumber(account.balanceMicro),
    held: creditsNumber(account.heldMicro),
    keys: account.keys,
    users: account.users,
    open_lookups: account.openLookups,
    limits: {
      requests_per_minute: account.limits.requestsPerMinute,
      open_lookups: account.limits.openLookups,
      rows_per_batch: account.limits.rowsPerBatch,
      weight: account.limits.weight,
    },
    source_limits: [...account.limitsAtSources].map(([source, { concurrency, callsPerDay }]) => ({
      source,
      concurrency,
      calls_per_day: callsPerDay,
    })),
    default_limits: {
      requests_per_minute: defaults.requestsPerMinute,
      open_lookups: defaults.openLookups,
      rows_per_batch: rowsMost,
      weight: weightDefault,
    },
    has_sql_login: account.hasLogin,
    created_at: account.createdAt.toISOString(),
  };
}
