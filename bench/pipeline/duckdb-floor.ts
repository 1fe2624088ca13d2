import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { z } from 'zod';
import { nameKeys } from '../../src/core/companies/name-keys.ts';
import type { Closers } from '../../src/closers.ts';
import { companyName } from '../data/company-names.ts';
import { ownersOf } from '../data/fixture.ts';
import { writeLines } from '../data/write-lines.ts';
import { say } from '../support/say.ts';
import type { ListFile, Setting } from './setting.ts';

/** DuckDB in a process of its own, with the ads of the setting as Parquet. */
export interface DuckDbFloor {
  /** Reads the file with the keys of each row, joins the ads and writes the export with one line per row. Returns the seconds. */
  readonly run: (list: ListFile, target: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

const reply = z.object({ seconds: z.number(), error: z.string().nullable() });

/** Starts DuckDB, and writes the ads of the snapshot as Parquet with the key of their advertiser's name. */
export async function openDuckDb(setting: Setting, closers: Closers): Promise<DuckDbFloor> {
  const child = fork(join(import.meta.dirname, 'duckdb-main.ts'), [], { execArgv: ['--import', 'tsx'] });
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill();
    await ended;
  };
  closers.add(child, close);

  async function nextReply(): Promise<number> {
    const gone = ended.then(() => {
      throw new Error('DuckDB ended in the middle of a statement.');
    });
    const messages: readonly unknown[] = await Promise.race([once(child, 'message'), gone]);
    const { seconds, error } = reply.parse(messages[0]);
    if (error !== null) throw new Error(`DuckDB: ${error}`);
    return seconds;
  }

  function ask(statement: string): Promise<number> {
    const replied = nextReply();
    child.send(statement);
    return replied;
  }

  await nextReply();
  const ads = join(setting.folder, 'ads.parquet');
  say('Writing its ads as Parquet');
  await ask(copyAds(setting.snapshotFile, await writeNameKeys(setting), ads));
  return { run: ({ keyedFile }, target) => ask(exportRows(keyedFile, ads, target)), close };
}

/** Writes the key of each name of an advertiser, and returns the file. */
async function writeNameKeys({ folder, fixture }: Setting): Promise<string> {
  const file = join(folder, 'name-keys.csv');
  await writeLines(file, lines());
  return file;

  function* lines(): Generator<string> {
    yield 'name,name_key';
    for (const owner of new Set(ownersOf(fixture))) {
      const name = companyName(owner);
      yield `${name},${nameKeys(name)[0] ?? ''}`;
    }
  }
}

const copyAds = (snapshot: string, keys: string, target: string) => `COPY (
    SELECT k.name_key, s.* FROM read_csv('${snapshot}', all_varchar = true) s
    JOIN read_csv('${keys}', all_varchar = true) k ON k.name = s.advertiser_disclosed_name
  ) TO '${target}' (FORMAT parquet)`;

const stagedColumns = [
  'row_no line_no company website country employees note key domain name name_key reject_reason warning',
  'matched_by match_id match_percent match_reasons',
].flatMap((names) => names.split(' '));

/** The product's export, column by column. */
const exportRows = (keyedFile: string, ads: string, target: string) => `COPY (
    WITH staged AS (
      SELECT *, row_no::integer AS row, reject_reason IS NULL AS is_asked,
        row_number() OVER (PARTITION BY key ORDER BY row_no::integer) = 1 AND key IS NOT NULL AS is_first,
        first_value(name_key) OVER (PARTITION BY key ORDER BY row_no::integer) AS asked_key,
        first_value(matched_by) OVER (PARTITION BY key ORDER BY row_no::integer) AS first_matched_by
      FROM read_csv('${keyedFile}', header = false, columns = {${stagedColumns.map((name) => `${name}: 'VARCHAR'`).join(', ')}})
    ), counts AS (
      SELECT name_key AS asked_key, count(*) AS ads FROM read_parquet('${ads}')
      WHERE name_key IN (SELECT asked_key FROM staged) GROUP BY name_key
    )
    SELECT company, website, country, employees, note,
      CASE WHEN NOT is_asked THEN 'rejected' WHEN ads > 0 THEN 'found' ELSE 'no_match' END AS ads_outcome,
      reject_reason AS ads_reason, CASE WHEN is_asked AND ads > 0 THEN first_matched_by END AS ads_matched_by,
      CASE WHEN is_asked THEN 'snapshot' END AS ads_source, CASE WHEN is_asked THEN 'false' END AS ads_from_cache,
      NULL AS ads_observed_at, CASE WHEN is_asked THEN 'false' END AS ads_partial, CASE WHEN is_asked THEN ads END AS ads_count,
      CASE WHEN is_asked THEN 'false' END AS ads_truncated, NULL AS ads_estimate_low, NULL AS ads_estimate_high,
      CASE WHEN is_asked AND is_first AND ads > 0 THEN '0.2' ELSE '0' END AS ads_credits_consumed,
      warning AS ads_warning, NULL AS ads_partial_reason, NULL AS ads_uncertain_advertisers, line_no AS input_line
    FROM staged LEFT JOIN counts USING (asked_key) ORDER BY row
  ) TO '${target}' (FORMAT csv, HEADER)`;
