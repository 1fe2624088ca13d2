import type { SeededBug } from './bug.ts';

const purging = 'db/sql/purge.sql';

/** Guards of the data that a purge keeps. */
export const purgeBugs: readonly SeededBug[] = [
  {
    name: 'recent data purged',
    guard: 'data younger than a day is not purged',
    file: purging,
    find: "p_before IS NULL OR p_before > now() - interval '1 day'",
    replace: "p_before IS NULL OR p_before > now() + interval '1 day'",
    tests: ['integration/purge/purge-rights.test.ts'],
    only: 'cannot purge data younger than a day',
  },
  {
    name: 'last scan purged',
    guard: 'the last scan of a company is kept as long as its schedule',
    file: purging,
    find: 'OR EXISTS (SELECT FROM tracked_companies t',
    replace: 'AND EXISTS (SELECT FROM tracked_companies t',
    tests: ['integration/purge/purge-scans.test.ts'],
    only: 'of an active schedule',
  },
  {
    name: 'ads in use swept',
    guard: 'an ad that a worker may still link is not swept',
    file: purging,
    find: 'AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()',
    replace: 'AND l.granted AND l.pid IS NOT DISTINCT FROM pg_backend_pid()',
    tests: ['integration/purge/purge-ads.test.ts'],
    only: 'while the sweep waited to begin',
  },
  {
    name: 'charge without a row',
    guard: 'an interrupted purge keeps every charge on the first of its rows',
    file: purging,
    find: 'AND r.block_no > (SELECT max(m.block_no) FROM row_blocks m WHERE m.batch_id = p_batch) - greatest(p_limit / 32, 1)',
    replace:
      'AND r.block_no < (SELECT min(m.block_no) FROM row_blocks m WHERE m.batch_id = p_batch) + greatest(p_limit / 32, 1)',
    tests: ['integration/purge/purge.test.ts'],
    only: 'from the last block to the first',
  },
  {
    name: 'purged lookup in another chunk',
    guard: 'a purged lookup is recorded in the chunk that counted it',
    file: 'db/sql/purged-chunks.sql',
    find: 'max(alone_in) OVER (PARTITION BY id) AS alone_in',
    replace: 'NULL::bigint AS alone_in',
    tests: ['integration/purge/purge-chunks.test.ts'],
  },
  {
    name: 'purged charge lost',
    guard: 'the charges of purged lookups are recorded',
    file: 'db/sql/purged-chunks.sql',
    find: 'FILTER (WHERE g.is_charged) AS charged_ids',
    replace: 'FILTER (WHERE false) AS charged_ids',
    tests: ['integration/purge/purge.test.ts'],
    only: 'deletes rows, companies and ads',
  },
  {
    name: 'purged batch continued',
    guard: 'the file of a purged batch makes a new batch',
    file: purging,
    find: 'purged_at = now(), is_current = false',
    replace: 'purged_at = now()',
    tests: ['integration/purge/purge.test.ts'],
    only: 'makes the same file a new batch',
  },
];
