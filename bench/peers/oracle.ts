import { createHash } from 'node:crypto';
import type pg from 'pg';
import { withClient } from '../support/bench-server.ts';
import { expectEqual } from '../support/expect.ts';
import { foundMicro, openingMicro } from './peer-sql.ts';
import { askSource, type PeerCompany } from './peer-task.ts';

/** The result that every engine has to leave: computed from the companies, the source and the product's rule alone. */
export interface ExpectedRecord {
  readonly companies: number;
  readonly found: number;
  readonly none: number;
  readonly noMatch: number;
  readonly ads: number;
  /** MD5 of the ids of all ads, in the order of companies and of their ads. */
  readonly adsMd5: string;
  readonly charges: number;
  readonly chargedMicro: string;
}

/** Computes the expected result. */
export function expectedRecord(companies: readonly PeerCompany[], seed: number): ExpectedRecord {
  const answers = companies.map((company) => askSource(company, seed));
  const count = (kind: string) => answers.filter(({ outcome }) => outcome === kind).length;
  const ads = answers.flatMap((answer) => answer.ads.map(({ creativeId }) => creativeId));
  return {
    companies: companies.length,
    found: count('found'),
    none: count('none'),
    noMatch: count('no_match'),
    ads: ads.length,
    adsMd5: createHash('md5').update(ads.join(',')).digest('hex'),
    charges: companies.length,
    chargedMicro: String(count('found') * foundMicro),
  };
}

const outcomeCounts = `count(*)::integer AS companies, (count(*) FILTER (WHERE outcome = 'found'))::integer AS found,
  (count(*) FILTER (WHERE outcome = 'none'))::integer AS none, (count(*) FILTER (WHERE outcome = 'no_match'))::integer AS "noMatch"`;

const peerRecord = `SELECT o.*, a.*, c.* FROM (SELECT ${outcomeCounts} FROM peers.outcomes) o,
  (SELECT count(*)::integer AS ads, md5(string_agg(creative_id, ',' ORDER BY company_id, position)) AS "adsMd5" FROM peers.ads) a,
  (SELECT count(*)::integer AS charges, sum(amount_micro)::text AS "chargedMicro" FROM peers.charges) c`;

/** A lookup of ours has several entries in the ledger; `verify` proves that it is charged once. */
const ourRecord = `WITH l AS (SELECT id, outcome FROM nightshift.lookups)
  SELECT o.*, a.*, c.* FROM (SELECT ${outcomeCounts} FROM l) o,
  (SELECT count(*)::integer AS ads, md5(string_agg('google:' || i.creative_id, ',' ORDER BY s.lookup_id, s.position)) AS "adsMd5"
    FROM nightshift.lookup_ads s JOIN nightshift.ad_versions v ON v.id = s.version_id JOIN nightshift.ads i ON i.id = v.ad_id) a,
  (SELECT count(DISTINCT e.lookup_id)::integer AS charges, (-sum(e.balance_delta_micro))::text AS "chargedMicro"
    FROM nightshift.ledger_entries e WHERE e.lookup_id IS NOT NULL) c`;

/** Ends the benchmark unless an engine has left exactly the expected result, and the balance adds up. */
export async function checkPeer(what: string, url: string, expected: ExpectedRecord): Promise<void> {
  await withClient(url, async (client) => {
    await expectRecord(client, { what, statement: peerRecord, expected });
    const { rows } = await client.query<{ balance: string }>(
      'SELECT balance_micro AS balance FROM peers.accounts',
    );
    const left = openingMicro - Number(expected.chargedMicro);
    expectEqual(`The balance of ${what}`, rows, [{ balance: String(left) }]);
  });
}

/** Ends the benchmark unless the product has left exactly the expected result; `verify` proves its balances. */
export async function checkOurs(url: string, expected: ExpectedRecord): Promise<void> {
  await withClient(url, (client) =>
    expectRecord(client, { what: 'Nightshift', statement: ourRecord, expected }),
  );
}

async function expectRecord(
  client: pg.Client,
  {
    what,
    statement,
    expected,
  }: { readonly what: string; readonly statement: string; readonly expected: ExpectedRecord },
): Promise<void> {
  const { rows } = await client.query<Record<string, unknown>>(statement);
  expectEqual(`The record of ${what}`, rows[0], expected);
}
