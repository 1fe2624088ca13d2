// DBOS Transact: a workflow for each company on a queue, with one step that commits it; `size` workflows run at a time.
import { DBOS } from '@dbos-inc/dbos-sdk';
import { commitOf, countdown, openPool, serve, slicesOf, untilEmpty } from './serve.js';

/** Workflows that are enqueued at a time. */
const enqueuedAtOnce = 50;
/** Interval at which the queue looks for workflows: each takes what the limit allows, so the default of a second leaves it idle. */
const queuePollMs = 50;

serve(async ({ databaseUrl, size, answer }) => {
  const pool = openPool(databaseUrl, size);
  DBOS.setConfig({
    name: 'peers',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: 20,
    logLevel: 'error',
  });
  let work;
  const lookUp = DBOS.registerWorkflow(
    async (company) => {
      await DBOS.runStep(async () => void (await pool.query(commitOf(answer([company])))), {
        name: 'commit',
      });
      work.done();
    },
    { name: 'lookUp' },
  );
  await DBOS.launch();
  await DBOS.registerQueue('companies', { workerConcurrency: size, minPollingIntervalMs: queuePollMs });
  return {
    run: async (companies) => {
      work = countdown(companies.length);
      for (const slice of slicesOf(companies, enqueuedAtOnce)) {
        const started = slice.map((company) =>
          DBOS.startWorkflow(lookUp, { queueName: 'companies' })(company),
        );
        await Promise.all(started);
      }
      await work.empty;
      // The status of a workflow is written after its function has returned. One query is cheaper than the result of each workflow.
      await untilEmpty(() => pool.query(unfinished));
    },
  };
});

const unfinished = `SELECT FROM dbos.workflow_status WHERE status IN ('ENQUEUED', 'PENDING') LIMIT 1`;
