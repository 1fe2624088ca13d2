import { sql } from 'drizzle-orm';
import { anySearch, type SearchOptions } from '../../../src/core/ads/ads-answer.ts';
import { formatCredits } from '../../../src/core/credits/credits.ts';
import type { Operation } from '../../../src/core/credits/price-book.ts';
import { InsufficientCredits } from '../../../src/core/errors.ts';
import type { SearchRequest } from '../../../src/core/sources/search-ads.ts';
import type { ValidationRequest } from '../../../src/core/validation/validate-request.ts';
import type { AdsClaim, EmailClaim } from '../../../src/core/work/claim.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, texts } from '../sql/arrays.ts';

/** A request to open. */
export interface NewRequest {
  readonly accountId: number;
  readonly requestId: string;
  readonly leaseMs: number;
  readonly operation: Operation;
  readonly key: string;
  readonly domain: string | null;
  readonly name: string | null;
  readonly email: string | null;
  /** Options of a search other than the usual: only a search with the same ones reuses the answer. */
  readonly search: SearchOptions | null;
}

/** The claim of a new lookup; without a lookup, the balance was below the price. */
export interface OpenedRequest {
  readonly lookupId: bigint | null;
  readonly chunkId: number;
  readonly token: string;
  readonly accountId: number;
  readonly priceMicro: bigint;
}

export function newSearch({ company, search, ...request }: SearchRequest, leaseMs: number): NewRequest {
  const { accountId, requestId } = request;
  const { key, domain, name } = company;
  const subject = { operation: 'ads_search', key, domain, name, email: null } as const;
  return { accountId, requestId, leaseMs, ...subject, search: search === anySearch ? null : search };
}

export function newValidation({ address, ...request }: ValidationRequest, leaseMs: number): NewRequest {
  const { accountId, requestId } = request;
  const { key, email } = address;
  const subject = { operation: 'email_validation', key, domain: null, name: null, email } as const;
  return { accountId, requestId, leaseMs, ...subject, search: null };
}

/** Opens requests of any accounts in one round trip; see `db/sql/work.sql`. */
export async function openRequests(
  db: Sql,
  requests: readonly NewRequest[],
): Promise<readonly OpenedRequest[]> {
  const { rows } = await db.execute<{
    chunk_id: string | null;
    token: string | null;
    lookup_id: string | null;
    price_micro: string;
  }>(
    sql`SELECT chunk_id, token, lookup_id, price_micro FROM nightshift.open_requests(${bigints(requests.map((each) => each.accountId))},
      ${texts(requests.map((each) => each.requestId))}, ${texts(requests.map((each) => each.operation))},
      ${texts(requests.map((each) => each.key))}, ${texts(requests.map((each) => each.domain))},
      ${texts(requests.map((each) => each.name))}, ${texts(requests.map((each) => each.email))},
      ${texts(requests.map(({ search }) => (search === null ? null : JSON.stringify(search))))},
      ${bigints(requests.map((each) => Math.ceil(each.leaseMs)))})`,
  );
  return requests.map(({ accountId }, i) => {
    const row = rows[i];
    if (row === undefined) throw new Error('A request was opened and not answered.');
    return {
      lookupId: row.lookup_id === null ? null : BigInt(row.lookup_id),
      chunkId: Number(row.chunk_id),
      token: row.token ?? '',
      accountId,
      priceMicro: BigInt(row.price_micro),
    };
  });
}

/** @throws InsufficientCredits when the balance was below the price. */
export function requireClaim({ lookupId, ...opened }: OpenedRequest) {
  if (lookupId === null) throw belowPrice(opened.priceMicro);
  return { ...opened, lookupId, generation: 1, batchId: null, attempt: 1 };
}

type OpenedClaim = ReturnType<typeof requireClaim>;

/** The claim of a new search, whose state is known without a query. */
export function toAdsClaim(
  { requestId, company, sources, search }: SearchRequest,
  { lookupId, ...claimed }: OpenedClaim,
): AdsClaim {
  const requestKey = `${requestId}-${lookupId}`;
  return {
    ...claimed,
    operation: 'ads_search',
    sources,
    search,
    lookups: [{ lookupId, company, requestKey, tries: 0, earlier: [], reported: [], repliesOnly: false }],
  };
}

/** The claim of a new validation. */
export function toEmailClaim(
  { address: { email } }: ValidationRequest,
  { lookupId, ...claimed }: OpenedClaim,
): EmailClaim {
  return { ...claimed, operation: 'email_validation', lookups: [{ lookupId, email, tries: 0 }] };
}

function belowPrice(priceMicro: bigint): InsufficientCredits {
  return new InsufficientCredits(
    `The balance is below the price of a result (${formatCredits(priceMicro)} credits); nothing was looked up. ` +
      'Add credits with `nightshift credits grant AMOUNT --reason TEXT`.',
  );
}
