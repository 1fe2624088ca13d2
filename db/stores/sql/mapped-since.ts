import { sql, type SQL } from 'drizzle-orm';
import { texts } from './arrays.ts';

/** Condition that entry `m` of the mapping names an advertiser that is the company of lookup `l`, or advertises for it. */
export const namesAdvertiserSql = sql`m.account_id = l.account_id AND m.company_key = l.subject_key AND m.role <> 'deny'`;

/**
 * Condition that the account has mapped the company of lookup `l` since the lookup ended, and that an advertiser of the mapping is its own or
 * advertises for it. So a company that stays unidentified is not looked up again until its mapping changes again.
 */
export const isMappedSinceSql = sql`(EXISTS (SELECT FROM nightshift.company_mapping_changes h
    WHERE h.account_id = l.account_id AND h.company_key = l.subject_key AND h.changed_at > l.ended_at)
  AND EXISTS (SELECT FROM nightshift.company_advertisers m WHERE ${namesAdvertiserSql}))`;

/** Condition that the company of lookup `l` is mapped to one of these advertisers, which is its own or advertises for it. */
export function isMappedToSql(advertisers: readonly string[]): SQL {
  return sql`EXISTS (SELECT FROM nightshift.company_advertisers m
    WHERE ${namesAdvertiserSql} AND m.advertiser_id = ANY (${texts(advertisers)}))`;
}

/** Condition that no retry has replaced lookup `l` of a batch. */
export const isLatestSql = sql`NOT EXISTS (
  SELECT FROM nightshift.lookups n WHERE n.batch_id = l.batch_id AND n.operation = l.operation
    AND n.subject_key = l.subject_key AND n.generation = l.generation + 1)`;
