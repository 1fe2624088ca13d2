// pg-boss: a job for each company, inserted in bulk; `size` jobs are fetched at a time, and their handler commits them in the transaction
// that completes them.
import { PgBoss } from 'pg-boss';
import { commitAnswers, countdown, serve, slicesOf, untilEmpty } from './serve.js';

const addedAtOnce = 1000;
const workers = 2;

serve(async ({ databaseUrl, size, answer }) => {
  const boss = new PgBoss({ connectionString: databaseUrl, max: workers + 2 });
  boss.on('error', (error) => process.stderr.write(`${error.stack}\n`));
  await boss.start();
  await boss.createQueue('companies');
  let work;
  const options = {
    batchSize: size,
    localConcurrency: workers,
    pollingIntervalSeconds: 0.5,
    burstWhenBatchFull: true,
    transactional: true,
  };
  await boss.work('companies', options, async (jobs, transaction) => {
    await transaction.executeSql(commitAnswers, [answer(jobs.map(({ data }) => data))]);
    work.done(jobs.length);
  });
  return {
    run: async (companies) => {
      work = countdown(companies.length);
      for (const slice of slicesOf(companies, addedAtOnce))
        await boss.insert(
          'companies',
          slice.map((data) => ({ data })),
        );
      await work.empty;
      // The transaction of the last handler commits after it has returned.
      await untilEmpty(() => boss.getDb().executeSql(unfinished));
    },
  };
});

const unfinished = `SELECT FROM pgboss.job WHERE name = 'companies' AND state < 'completed' LIMIT 1`;
