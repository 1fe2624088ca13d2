import type { SeededBug } from './bug.ts';

const outcomes = 'db/stores/work/outcomes.ts';
const lockOpen = 'db/sql/work.sql';
const outcomeTests = ['integration/work/outcomes.test.ts'];
const askTests = ['unit/src/core/sources/ask-sources.test.ts'];
const exchangeTests = ['unit/src/core/sources/source-call-executor.test.ts'];
const reconcile = 'src/dispatcher/reconcile.ts';
const reconcileTests = ['unit/src/dispatcher/reconcile.test.ts'];

/** Guards of chunks, leases, outcomes, sources and the queue. */
export const workBugs: readonly SeededBug[] = [
  {
    name: 'outcome of a finished lookup replaced',
    guard: 'only an open lookup gets an outcome',
    file: lockOpen,
    find: 'CASE WHEN v_ended IS NULL THEN p_lookups',
    replace: 'CASE WHEN true THEN p_lookups',
    tests: outcomeTests,
    only: 'repeated commit',
  },
  {
    name: 'outcomes can be changed',
    guard: 'an outcome cannot be changed, not even by a superuser',
    file: 'db/sql/append-only.sql',
    find: 'FOR EACH ROW WHEN (OLD.outcome IS NOT NULL AND',
    replace: "FOR EACH ROW WHEN (OLD.outcome = 'cancelled' AND",
    tests: outcomeTests,
    only: 'an outcome cannot be changed',
  },
  {
    name: 'no fencing token',
    guard: 'a worker that lost the lease of a chunk writes nothing',
    file: lockOpen,
    find: "AND token = p_token AND state = 'running'",
    replace: "AND state = 'running'",
    tests: outcomeTests,
    only: 'a worker that lost its chunk',
  },
  {
    name: 'no transaction',
    guard: 'outcomes, ads and charges are written in one transaction',
    file: outcomes,
    find: 'db.transaction((transaction) => commitResults(transaction, claim, results))',
    replace: 'commitResults(db, claim, results)',
    tests: outcomeTests,
    only: 'ledger rejects writes nothing|cannot be stored writes nothing',
  },
  {
    name: 'generation not checked at claim',
    guard: 'a job of an earlier generation claims nothing',
    file: 'db/stores/work/work.ts',
    find: 'eq(chunks.generation, generation),',
    replace: 'sql`${chunks.generation} >= ${generation}`,',
    tests: ['integration/work/chunk-jobs.test.ts'],
    only: 'earlier or later generation',
  },
  {
    name: 'ack before commit',
    guard: 'a job completes after its outcomes are written',
    file: 'workers/start-workers.ts',
    find: 'await workChunk(options.chunkWork, chunkId, generation);',
    replace: 'void workChunk(options.chunkWork, chunkId, generation);',
    tests: ['integration/work/chunk-jobs.test.ts'],
    only: 'a job completes',
  },
  {
    name: 'outage counts as no ads',
    guard: 'an unavailable source never means no ads',
    file: 'src/core/sources/ask-sources.ts',
    find: '} catch (error) {\n    noteError(state, source.name, error, options);',
    replace:
      "} catch (error) {\n    note(state, source.name, { kind: 'none', matchedBy: 'domain' }, options);",
    tests: askTests,
  },
  {
    name: 'call in doubt repeated',
    guard: 'a call in doubt is not repeated',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'if (isOpen && !source.idempotent) throw inDoubt(source.name);',
    replace: 'if (isOpen && lookup.repliesOnly) throw inDoubt(source.name);',
    tests: askTests,
  },
  {
    name: 'Retry-After ignored',
    guard: 'a rate limit of the source delays all processes',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'await options.rateLimiter.pauseUntil(source.bucket, holdOffMs(error, throttledTimes));',
    replace: 'if (holdOffMs(error, throttledTimes) < 0) throw error;',
    tests: askTests,
    only: 'pauses its rate limit',
  },
  {
    name: 'rate limit ignored',
    guard: 'reservations of a source are one interval apart',
    file: 'db/sql/rate-limits.sql',
    find: 'taken * interval_us',
    replace: '0 * interval_us',
    tests: ['integration/sources/rate-limits.test.ts'],
  },
  {
    name: 'stored response paid again',
    guard: 'a call with a stored response is not repeated',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'if (reply !== null) return call.read(withoutSecrets(reply)).value;',
    replace: 'if (reply !== null && lookup.repliesOnly) return call.read(withoutSecrets(reply)).value;',
    tests: exchangeTests,
  },
  {
    name: 'outage counts as tries',
    guard: 'an outage of the source does not count as tries of a company',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'return known instanceof SourceUnavailable || refusal !== null ? new SourcePaused(pause) : known;',
    replace: 'return known;',
    tests: exchangeTests,
  },
  {
    name: 'concurrent calls not counted',
    guard: 'all processes together respect the limit of concurrent calls',
    file: 'db/sql/source-calls.sql',
    find: 'IF v_in_flight + admitted > p_in_flight_max THEN',
    replace: 'IF v_in_flight > p_in_flight_max THEN',
    tests: ['integration/sources/call-log.test.ts'],
  },
  {
    name: 'dead worker not rescued',
    guard: 'the chunk of a dead worker is enqueued again',
    file: reconcile,
    find: '  await endLapsedLeases(options);\n',
    replace: '  if (options.leaseMs < 0) await endLapsedLeases(options);\n',
    tests: reconcileTests,
  },
  {
    name: 'lost jobs not enqueued again',
    guard: 'an emptied queue is restored from Postgres',
    file: reconcile,
    find: '  await requeueLostJobs(options);\n',
    replace: '  if (options.leaseMs < 0) await requeueLostJobs(options);\n',
    tests: reconcileTests,
  },
  {
    name: 'no lock on migrations',
    guard: 'two concurrent migrations both succeed',
    file: 'db/migrate.ts',
    find: 'await waitForLock(drizzle(client), [advisoryLocks.migration], {',
    replace: 'await waitForLock(drizzle(client), [Math.trunc(Math.random() * 1e9) as never], {',
    tests: ['integration/db/migrate.test.ts'],
    only: 'four concurrent processes',
  },
  {
    name: 'blocked sender counts as invalid',
    guard: 'a rejection of the sender never makes an address invalid',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled')",
    replace:
      "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled' || finding === 'sender_blocked')",
    tests: ['unit/src/core/emails/verdict/verdict.test.ts'],
  },
  {
    name: 'DNS timeout counts as invalid',
    guard: 'a DNS error never makes an address invalid',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (route.kind === 'unknown') return { status: 'unknown',",
    replace: "if (route.kind === 'unknown') return { status: 'invalid',",
    tests: ['unit/src/core/emails/verdict/verdict.test.ts'],
  },
];
