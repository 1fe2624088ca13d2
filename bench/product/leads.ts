import type { App } from '../../src/app/app.ts';
import { loadFile } from '../../src/cli/commands/batches/load-file.ts';
import type { LookupResult, OutcomeStore } from '../../src/core/work/outcomes.ts';
import { openLists } from '../../src/app/email-service.ts';
import { createSearchHandler } from '../../src/core/sources/search-handler.ts';
import { createValidationHandler } from '../../src/core/validation/validation-handler.ts';
import { createSyntheticValidator } from '../console/synthetic-mail.ts';
import { createSyntheticSource } from '../console/synthetic-source.ts';
import { randomAt } from '../data/random.ts';
import { timed } from '../support/figures.ts';
import { quietContext } from './command-context.ts';
import { workOn } from './enrich.ts';
import type { LeadsResult, PrepareResult, Task } from './tasks.ts';

/** Any loaded source: it is never called. */
const sourceName = 'sample';
/** One company in this many cannot be looked up, for one of these reasons. */
const failedEvery = 50;
const failures = ['source_unreadable', 'source_unavailable', 'in_doubt'];

/** Loads a batch of leads, and lets dispatcher and workers look it up with synthetic answers. */
export async function lookUpLeads(
  app: App,
  { file, seed, hasFailures }: Extract<Task, { kind: 'leads' }>,
): Promise<LeadsResult> {
  await app.work.queue();
  const load = await timed(() => loadFile(quietContext(app), file, { source: sourceName, again: true }));
  const { batchId, publicId } = load.value;
  const source = createSyntheticSource(sourceName, seed);
  const { outcomes: store } = app.lookups;
  const outcomes = hasFailures ? withFailures(store, seed) : store;
  const chunkWork = {
    ...app.work.chunkWork,
    handlers: {
      adsSearch: createSearchHandler({
        ...app.lookups.search,
        sourcesFor: () => Promise.resolve([source]),
        outcomes,
      }),
      emailValidation: createValidationHandler({
        validator: createSyntheticValidator(openLists(app.config), seed),
        outcomes,
        now: () => new Date(),
      }),
    },
  };
  const work = await timed(() => workOn({ ...app, work: { ...app.work, chunkWork } }, batchId, publicId));
  return { batchId, publicId, load: load.seconds, work: work.seconds };
}

/** The store of outcomes, which turns some companies without ads into failed ones. */
function withFailures({ commit }: OutcomeStore, seed: number): OutcomeStore {
  return {
    commit: (claim, results) =>
      commit(
        claim,
        results.map((result) => withFailure(result, seed)),
      ),
  };
}

function withFailure(result: LookupResult, seed: number): LookupResult {
  const id = Number(result.lookupId);
  const isSpared = result.answer.kind === 'found' || result.answer.kind === 'completed';
  if (isSpared || randomAt(seed + 9, id) * failedEvery >= 1) return result;
  return {
    lookupId: result.lookupId,
    source: result.source,
    answer: { kind: 'failed', reason: failures[id % failures.length] ?? '' },
  };
}

/** Runs the background tasks of a dispatcher for finished batches. */
export async function prepare(app: App): Promise<PrepareResult> {
  const { signal } = new AbortController();
  const charts = await timed(() => app.batches.charts.keepUp(signal));
  const index = await timed(() => app.batches.results.index.update(signal));
  return { charts: charts.seconds, index: index.seconds };
}
