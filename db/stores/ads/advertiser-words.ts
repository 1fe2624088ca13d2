import { sql } from 'drizzle-orm';
import { advertiserWords, searchWordsVersion } from '../../../src/core/companies/match/search-words.ts';
import { Misconfigured } from '../../../src/core/errors.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, ints } from '../sql/arrays.ts';
import { wordNumber } from './word-number.ts';

/** An advertiser with the names that its words are made of. */
export interface NamesRow extends Record<string, unknown> {
  readonly id: string;
  readonly disclosed_name: string | null;
  readonly legal_name: string | null;
}

/** Number of advertisers whose words are stored at a time. */
const advertisersAtATime = 2000;
/** Number of advertisers after which progress is reported. */
const advertisersAReport = 50_000;

/** Stores the words of advertisers of a snapshot. Words of an earlier name stay: what they find is evaluated by its name. */
export async function storeWords(
  db: Sql,
  snapshotId: number,
  advertisers: readonly NamesRow[],
): Promise<void> {
  const words = advertisers.flatMap(({ id, disclosed_name, legal_name }) =>
    numbersOf([disclosed_name, legal_name]).map((word) => ({ word, key: BigInt(id) })),
  );
  if (words.length === 0) return;
  await db.execute(
    sql`INSERT INTO nightshift.advertiser_words (word, snapshot_id, advertiser_key)
      SELECT n.word, ${snapshotId}, n.advertiser_key
      FROM unnest(${ints(words.map(({ word }) => word))}, ${bigints(words.map(({ key }) => key))}) AS n(word, advertiser_key)
      ORDER BY n.word, n.advertiser_key
      ON CONFLICT DO NOTHING`,
  );
}

function numbersOf(names: readonly (string | null)[]): readonly number[] {
  const words = names.flatMap((name) => (name === null ? [] : advertiserWords(name)));
  return [...new Set(words.map(wordNumber))];
}

/** A snapshot whose words are missing or of an earlier version. */
interface StaleSnapshot extends Record<string, unknown> {
  readonly id: number;
  readonly name: string;
  readonly advertisers: string;
}

/**
 * Stores the words of advertisers that were loaded by an earlier version of Nightshift. It can be interrupted at any time: the next call begins
 * again, and what is stored already costs little.
 *
 * @param onProgress called with what is done, such as `Storing search words of the snapshot: 50,000 of 90,000 advertisers`.
 */
export async function fillWords(db: Sql, onProgress?: (text: string) => void): Promise<void> {
  const { rows } = await db.execute<StaleSnapshot>(
    sql`SELECT s.id, s.name, (SELECT count(*) FROM nightshift.advertisers a WHERE a.snapshot_id = s.id) AS advertisers
      FROM nightshift.snapshots s WHERE s.words_version < ${searchWordsVersion} ORDER BY s.id`,
  );
  for (const snapshot of rows) await fillSnapshot(db, snapshot, onProgress);
}

async function fillSnapshot(
  db: Sql,
  { id, name, advertisers }: StaleSnapshot,
  onProgress?: (text: string) => void,
): Promise<void> {
  let [after, done] = ['0', 0];
  for (;;) {
    const { rows } = await db.execute<NamesRow>(
      sql`SELECT a.id, a.disclosed_name, a.legal_name FROM nightshift.advertisers a
        WHERE a.snapshot_id = ${id} AND a.id > ${after}::bigint ORDER BY a.id LIMIT ${advertisersAtATime}`,
    );
    const last = rows.at(-1);
    if (last === undefined) break;
    await storeWords(db, id, rows);
    [after, done] = [last.id, done + rows.length];
    if (done % advertisersAReport === 0 || rows.length < advertisersAtATime)
      onProgress?.(
        `Storing search words of the ${name}: ${withCommas(done)} of ${withCommas(Number(advertisers))} advertisers`,
      );
  }
  await db.execute(
    sql`UPDATE nightshift.snapshots SET words_version = ${searchWordsVersion} WHERE id = ${id}`,
  );
}

function withCommas(count: number): string {
  return count.toLocaleString('en');
}

/** @throws Misconfigured when the words of the snapshot are missing: a search would silently miss advertisers. */
export function assertWords({
  name,
  wordsVersion,
}: {
  readonly name: string;
  readonly wordsVersion: number;
}): void {
  if (wordsVersion >= searchWordsVersion) return;
  throw new Misconfigured(
    `The ${name} was loaded by an earlier version, and its search words are missing. Run nightshift migrate`,
  );
}
