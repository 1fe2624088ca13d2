import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../../db/connection/client.ts';
import { createSnapshotStore } from '../../db/stores/ads/snapshots.ts';
import { createSnapshotSource } from '../../src/sources/snapshot/source.ts';
import { parseCompany } from '../../src/core/companies/company.ts';

/**
 * The minimum of a search: `node:http`, the key by its digest, the hold committed, the same query of the source, the outcome
 * with links and charge committed, and the ads read. One statement each. No limits, no validation of bodies, no leases, no
 * request ids, no errors, no log.
 */
const database = openDatabase({
  url: process.argv[2] ?? '',
  role: 'nightshift_app',
  connectionsMax: 20,
  name: 'nightshift bench floor',
  onIdleError: () => undefined,
});
const { pool } = database;
const snapshots = createSnapshotStore(database);
const snapshot = await snapshots.find('snapshot');
if (snapshot === null) throw new Error('There is no snapshot.');
const source = createSnapshotSource({
  store: snapshots,
  name: 'snapshot',
  snapshotId: snapshot.id,
});
const never = new AbortController().signal;

const server = createServer((request, response) => void answer(request, response));
server.listen(0, '127.0.0.1', () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('disconnect', () => process.exit(0));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const accountId = await findAccount(String(request.headers['x-api-key']));
  const parts: Buffer[] = [];
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
  const body = JSON.parse(Buffer.concat(parts).toString()) as { company_name: string };
  const parsed = parseCompany({ name: body.company_name });
  if (parsed.kind === 'rejected') throw new Error(parsed.reason);
  const { lookupId, chunkId } = await hold(accountId, parsed.company.key, parsed.company.name);
  const { company } = parsed;
  const question = { company, mapping: [], region: null, adsMax: null, requestKey: 'request', via: [] };
  const [found] = await source.findAds([question], never);
  if (found?.kind !== 'stored') throw new Error('Not found.');
  const advertiserKeys = found.advertisers.map(({ key }) => key);
  await commit(accountId, lookupId, chunkId, advertiserKeys, found.matchedBy);
  const ads = await readAds(lookupId);
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify({
      company_name: parsed.company.name,
      ads,
      ads_count: ads.length,
      credits_consumed: 0.2,
      message: 'Ads found.',
    }),
  );
}

async function findAccount(key: string): Promise<number> {
  const digest = createHash('sha256').update(key).digest();
  const found = await pool.query<{ account_id: string }>(
    `SELECT account_id FROM nightshift.api_keys WHERE digest = $1 AND revoked_at IS NULL AND (expires_at > now()) IS NOT FALSE`,
    [digest],
  );
  return Number(found.rows[0]?.account_id);
}

async function hold(accountId: number, key: string, name: string | null) {
  const held = await pool.query<{ id: string; first_lookup_id: string }>(
    `WITH l AS (
        INSERT INTO nightshift.lookups (id, account_id, request_id, operation, subject_key, company_name)
        VALUES (nextval('nightshift.lookup_id_blocks'), $1, gen_random_uuid(), 'ads_search', $2, $3) RETURNING id
      ), c AS (
        INSERT INTO nightshift.chunks (account_id, first_lookup_id, last_lookup_id, lookups, state, starts, token, lease_until, price_micro)
        SELECT $1, id, id, 1, 'running', 1, gen_random_uuid(), now() + interval '30 seconds', 200000 FROM l
        RETURNING id, first_lookup_id
      )
      SELECT id, first_lookup_id, nightshift.credit_reserve($1, ARRAY[first_lookup_id], '{1}', '{200000}') FROM c`,
    [accountId, key, name],
  );
  return { chunkId: held.rows[0]?.id ?? '', lookupId: held.rows[0]?.first_lookup_id ?? '' };
}

async function commit(
  accountId: number,
  lookupId: string,
  chunkId: string,
  advertisers: readonly bigint[],
  matchedBy: string,
): Promise<void> {
  await pool.query(
    `WITH given AS (
        SELECT d.answer_id, a.ads, d.newest_day
        FROM nightshift.advertisers d JOIN nightshift.answers a ON a.id = d.answer_id WHERE d.id = ANY ($4::bigint[])
      ), ended AS (
        UPDATE nightshift.lookups l SET outcome = 'found', source = 'snapshot', matched_by = $5, ads_count = g.ads,
          answer_id = g.answer_id, newest_day = g.newest_day, charged_micro = 200000, ended_at = now() FROM given g WHERE l.id = $2
      ), counted AS (
        UPDATE nightshift.chunks SET found = 1, charged_micro = 200000, state = 'done', token = NULL, lease_until = NULL,
          first_ended_at = now(), last_ended_at = now()
        WHERE id = $3
      )
      SELECT nightshift.credit_resolve($1, ARRAY[$2::bigint], '{1}', '{200000}')`,
    [accountId, lookupId, chunkId, advertisers.map(String), matchedBy],
  );
}

async function readAds(lookupId: string): Promise<readonly object[]> {
  const found = await pool.query<object>(
    `SELECT v.advertiser_id, v.creative_id, v.original_url, '{}'::text[] AS variants, la.start::text AS start,
        la.last_seen::text AS last_seen, v.advertiser_name, v.format
      FROM nightshift.lookup_ads la JOIN nightshift.ad_contents v ON v.id = la.version_id
      WHERE la.lookup_id = $1 ORDER BY la.position`,
    [lookupId],
  );
  return found.rows;
}
