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
    name: 'no state guard',
    guard: 'only a lookup without an outcome gets one',
    file: lockOpen,
    find: 'WHERE outcome IS NULL AND id = ANY',
    replace: 'WHERE id = ANY',
    tests: outcomeTests,
    only: 'the same commit again',
  },
  {
    name: 'outcomes can be changed',
    guard: 'no statement changes an outcome, with whatever rights',
    file: 'db/sql/append-only.sql',
    find: 'FOR EACH ROW WHEN (OLD.outcome IS NOT NULL AND',
    replace: "FOR EACH ROW WHEN (OLD.outcome = 'cancelled' AND",
    tests: outcomeTests,
    only: 'no statement changes an outcome',
  },
  {
    name: 'no fence',
    guard: 'whoever lost the lease of a chunk writes nothing',
    file: lockOpen,
    find: "AND token = p_token AND state = 'running'",
    replace: "AND state = 'running'",
    tests: outcomeTests,
    only: 'the one that lost its chunk',
  },
  {
    name: 'no transaction',
    guard: 'outcomes, ads and charges are written together or not at all',
    file: outcomes,
    find: 'db.transaction((transaction) => commitResults(transaction, claim, results))',
    replace: 'commitResults(db, claim, results)',
    tests: outcomeTests,
    only: 'writes nothing at all',
  },
  {
    name: 'generation not checked at claim',
    guard: 'the job of an earlier generation claims nothing',
    file: 'db/stores/work/work.ts',
    find: 'eq(chunks.generation, generation),',
    replace: 'sql`${chunks.generation} >= ${generation}`,',
    tests: ['integration/work/chunk-jobs.test.ts'],
    only: 'earlier generation',
  },
  {
    name: 'ack before commit',
    guard: 'a job is done when its outcomes are written, not before',
    file: 'workers/start-workers.ts',
    find: 'await workChunk(options.chunkWork, chunkId, generation);',
    replace: 'void workChunk(options.chunkWork, chunkId, generation);',
    tests: ['integration/work/chunk-jobs.test.ts'],
    only: 'a job is done',
  },
  {
    name: 'outage becomes none',
    guard: 'a source that is away never means that there are no ads',
    file: 'src/core/sources/ask-sources.ts',
    find: '} catch (error) {\n    noteError(view, source.name, error, options);',
    replace:
      "} catch (error) {\n    note(view, source.name, { kind: 'none', matchedBy: 'domain' }, options);",
    tests: askTests,
  },
  {
    name: 'call in doubt repeated',
    guard: 'a call whose answer was lost is not paid for twice',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'if (isOpen && !source.idempotent) throw inDoubt(source.name);',
    replace: 'if (isOpen && lookup.repliesOnly) throw inDoubt(source.name);',
    tests: askTests,
  },
  {
    name: 'throttle ignored',
    guard: 'a source that asks to wait is left alone by everybody',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'await options.rateLimiter.pauseUntil(source.bucket, holdOffMs(error, throttledTimes));',
    replace: 'if (holdOffMs(error, throttledTimes) < 0) throw error;',
    tests: askTests,
    only: 'pauses its rate limit',
  },
  {
    name: 'pace ignored',
    guard: 'slots of a source are one interval apart',
    file: 'db/sql/rate-limits.sql',
    find: 'taken * interval_us',
    replace: '0 * interval_us',
    tests: ['integration/sources/rate-limits.test.ts'],
  },
  {
    name: 'kept reply paid again',
    guard: 'a call whose reply was kept is not made again',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'if (reply !== null) return call.read(withoutSecrets(reply)).value;',
    replace: 'if (reply !== null && lookup.repliesOnly) return call.read(withoutSecrets(reply)).value;',
    tests: exchangeTests,
  },
  {
    name: 'outage uses up tries',
    guard: 'a company is not to blame while its source gives nobody an answer',
    file: 'src/core/sources/source-call-executor.ts',
    find: 'return known instanceof SourceUnavailable || refusal !== null ? new SourcePaused(pause) : known;',
    replace: 'return known;',
    tests: exchangeTests,
  },
  {
    name: 'calls in flight uncounted',
    guard: 'a source sees no more calls at a time than its limit, whoever makes them',
    file: 'db/sql/source-calls.sql',
    find: 'IF v_in_flight + admitted > p_in_flight_max THEN',
    replace: 'IF v_in_flight > p_in_flight_max THEN',
    tests: ['integration/sources/call-log.test.ts'],
  },
  {
    name: 'reconcile never revives',
    guard: 'the chunk of a worker that died is handed out again',
    file: reconcile,
    find: '  await endLapsedLeases(options);\n',
    replace: '  if (options.leaseMs < 0) await endLapsedLeases(options);\n',
    tests: reconcileTests,
  },
  {
    name: 'lost jobs stay lost',
    guard: 'an emptied queue is filled again from Postgres',
    file: reconcile,
    find: '  await requeueLostJobs(options);\n',
    replace: '  if (options.leaseMs < 0) await requeueLostJobs(options);\n',
    tests: reconcileTests,
  },
  {
    name: 'migrations lock missing',
    guard: 'two processes that migrate at once both succeed',
    file: 'db/migrate.ts',
    find: 'await waitForLock(drizzle(client), [advisoryLocks.migration], {',
    replace: 'await waitForLock(drizzle(client), [Math.trunc(Math.random() * 1e9) as never], {',
    tests: ['integration/db/migrate.test.ts'],
    only: 'four processes',
  },
  {
    name: 'blocked sender becomes invalid',
    guard: 'no address is called invalid because a mail server disliked us',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled')",
    replace:
      "if (finding === 'mailbox_not_found' || finding === 'mailbox_disabled' || finding === 'sender_blocked')",
    tests: ['unit/src/core/emails/verdict/verdict.test.ts'],
  },
  {
    name: 'silent DNS becomes invalid',
    guard: 'trouble with DNS never makes an address invalid',
    file: 'src/core/emails/verdict/verdict.ts',
    find: "if (route.kind === 'unknown') return { status: 'unknown',",
    replace: "if (route.kind === 'unknown') return { status: 'invalid',",
    tests: ['unit/src/core/emails/verdict/verdict.test.ts'],
  },
];
