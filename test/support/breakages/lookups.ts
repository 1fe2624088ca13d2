import type { Breakage } from './breakage.ts';
import { unconstrained, unguarded } from './by-hand.ts';

/** Ways to break invariant 2. */
export const lookups: readonly Breakage[] = [
  {
    number: 2,
    name: 'an outcome without a time',
    by: ({ none }) =>
      unconstrained(
        'lookups',
        'lookups_ended',
        unguarded('lookups', `UPDATE nightshift.lookups SET ended_at = NULL WHERE id = ${none}`),
      ),
    finding: ({ none }) => `lookup ${none} has the outcome none and no time of its end`,
  },
  {
    number: 2,
    name: 'a failure without a reason',
    by: ({ failed }) =>
      unconstrained(
        'lookups',
        'lookups_failure_has_reason',
        unguarded('lookups', `UPDATE nightshift.lookups SET reason = NULL WHERE id = ${failed}`),
      ),
    finding: ({ failed }) => `lookup ${failed} has failed without a reason`,
  },
  {
    number: 2,
    name: 'an open lookup in a finished batch',
    by: ({ failed }) =>
      unguarded(
        'lookups',
        `UPDATE nightshift.lookups SET outcome = NULL, ended_at = NULL WHERE id = ${failed}`,
      ),
    finding: ({ finishedId, failed }) => `batch ${finishedId} is finished, and lookup ${failed} is open`,
  },
  {
    number: 2,
    name: 'a finished batch without a time',
    by: ({ finishedBatch }) => `UPDATE nightshift.batches SET finished_at = NULL WHERE id = ${finishedBatch}`,
    finding: ({ finishedId }) => `batch ${finishedId} is finished, and has no time of its end`,
  },
  {
    number: 2,
    name: 'a wrong count of lookups',
    by: ({ runningBatch }) => `UPDATE nightshift.batches SET lookups_total = 5 WHERE id = ${runningBatch}`,
    finding: ({ runningId }) => `batch ${runningId} says 5 lookups`,
  },
  {
    number: 2,
    name: 'a wrong last lookup of a batch',
    by: ({ runningBatch, queuedToo }) =>
      `UPDATE nightshift.batches SET last_lookup_id = ${queuedToo} WHERE id = ${runningBatch}`,
    finding: ({ runningId, queuedToo, undispatched }) =>
      `batch ${runningId} says 6 lookups up to ${queuedToo}; stored are 6 up to ${undispatched}`,
  },
  {
    number: 2,
    name: 'wrong counts of outcomes in a chunk',
    by: ({ foundTwo }) =>
      `UPDATE nightshift.chunks SET found = 1, none = 1 WHERE first_lookup_id = ${foundTwo}`,
    finding: () => 'counts 1 found, 1 none of 2 lookups; its lookups are 2 found of 2 lookups',
  },
  {
    number: 2,
    name: 'a chunk with a wrong end time',
    by: ({ foundTwo }) =>
      `UPDATE nightshift.chunks SET last_ended_at = last_ended_at + interval '1 day' WHERE first_lookup_id = ${foundTwo}`,
    finding: () => 'says that its lookups ended from ',
  },
  {
    number: 2,
    name: 'a done chunk with open lookups',
    by: ({ queued }) => `UPDATE nightshift.chunks SET state = 'done' WHERE first_lookup_id = ${queued}`,
    finding: () => 'is done, and 2 of its lookups are open',
    also: [4],
  },
  {
    number: 2,
    name: 'a running chunk without open lookups',
    by: ({ split }) => `UPDATE nightshift.chunks SET state = 'queued' WHERE first_lookup_id = ${split}`,
    finding: () => 'is queued, and 0 of its lookups are open',
  },
  {
    number: 2,
    name: 'a dispatched lookup in no chunk',
    by: ({ failed }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${failed}`,
    finding: ({ finishedId, failed }) => `lookup ${failed} of batch ${finishedId} is in no chunk`,
  },
  {
    number: 2,
    name: 'a lookup of a request in no chunk',
    by: ({ request }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${request}`,
    finding: ({ request }) => `lookup ${request} of a request is in no chunk`,
    also: [3],
  },
  {
    number: 2,
    name: 'a lookup in two chunks',
    by: ({ failed }) => `INSERT INTO nightshift.chunks
        (account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, failed)
      SELECT account_id, batch_id, first_lookup_id, last_lookup_id, state, price_micro, lookups, failed
      FROM nightshift.chunks WHERE first_lookup_id = ${failed}`,
    finding: () => 'counts 1 failed of 1 lookups; its lookups are none ended of 0 lookups',
  },
  {
    number: 2,
    name: 'a split lookup without its own chunk',
    by: ({ alone }) => `DELETE FROM nightshift.chunks WHERE first_lookup_id = ${alone}`,
    finding: () => 'of 1 lookups; its lookups are 1 found of 2 lookups',
    also: [4],
  },
  {
    number: 2,
    name: 'a lookup in a chunk before it was dispatched',
    by: ({ finishedBatch, noMatch }) =>
      `UPDATE nightshift.batches SET dispatched_to = ${noMatch} WHERE id = ${finishedBatch}`,
    finding: ({ failed, finishedId }) => `lookup ${failed} of batch ${finishedId} is in chunk`,
  },
  {
    number: 2,
    name: 'a disabled trigger of outcomes',
    by: () => 'ALTER TABLE nightshift.lookups DISABLE TRIGGER outcome_is_final',
    finding: () => 'trigger outcome_is_final of table lookups is disabled',
  },
  {
    number: 2,
    name: 'a trigger of outcomes that replication skips',
    by: () => 'ALTER TABLE nightshift.lookups ENABLE TRIGGER outcome_is_final',
    finding: () => 'trigger outcome_is_final of table lookups is not enabled in every replication role',
  },
  {
    number: 2,
    name: 'a trigger of outcomes without effect',
    by: () => `CREATE OR REPLACE TRIGGER outcome_is_final BEFORE UPDATE ON nightshift.lookups
        FOR EACH ROW WHEN (false) EXECUTE FUNCTION nightshift.reject_second_outcome();
      ALTER TABLE nightshift.lookups ENABLE ALWAYS TRIGGER outcome_is_final`,
    finding: () => 'trigger outcome_is_final of table lookups is not the one that was installed',
  },
  {
    number: 2,
    name: 'a missing trigger of outcomes',
    by: () => 'DROP TRIGGER outcome_is_final ON nightshift.lookups',
    finding: () => 'trigger outcome_is_final of table lookups is missing',
  },
];
