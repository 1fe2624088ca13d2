// graphile-worker: a job for each company, added in bulk; `size` jobs run at a time. With a local queue and batches of completions, as its
// page about performance recommends.
import { Logger, makeWorkerUtils, run as runWorker } from 'graphile-worker';
import { commitOf, countdown, serve, slicesOf, untilEmpty } from './serve.js';

const addedAtOnce = 1000;

serve(async ({ databaseUrl, size, answer }) => {
  const preset = {
    worker: {
      connectionString: databaseUrl,
      concurrentJobs: size,
      maxPoolSize: size + 1,
      localQueue: { size: 500 },
      completeJobBatchDelay: 0,
      failJobBatchDelay: 0,
    },
  };
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ preset, logger });
  await utils.migrate();
  const company = (payload, { withPgClient }) =>
    withPgClient((client) => client.query(commitOf(answer([payload])))).then(() => undefined);
  const runner = await runWorker({ preset, logger, taskList: { company } });
  let work;
  runner.events.on('job:complete', () => work?.done());
  return {
    run: async (companies) => {
      work = countdown(companies.length);
      for (const slice of slicesOf(companies, addedAtOnce))
        await utils.addJobs(slice.map((payload) => ({ identifier: 'company', payload })));
      await work.empty;
      // Completions are written in batches after the event.
      await untilEmpty(() => utils.withPgClient((client) => client.query(unfinished)));
    },
  };
});

const unfinished = 'SELECT FROM graphile_worker.jobs LIMIT 1';
