// PgQ: an event for each company, inserted in bulk; a consumer takes `size` events as a batch, and commits them in the transaction that
// finishes the batch.
import { commitOf, openPool, pollMs, serve, sleep, slicesOf } from './serve.js';

serve(async ({ databaseUrl, size, answer }) => {
  const pool = openPool(databaseUrl, 2);
  await pool.query('CREATE EXTENSION IF NOT EXISTS pgq');
  await pool.query(`SELECT pgq.create_queue('companies'), pgq.register_consumer('companies', 'peers')`);
  // A tick ends a batch: the ticker makes one for what was inserted since the last.
  await pool.query(`SELECT pgq.set_queue_config('companies', 'ticker_max_count', '1')`);

  async function produce(companies) {
    for (const slice of slicesOf(companies, size)) {
      const events = slice.map((company) => JSON.stringify(company));
      await pool.query({
        name: 'insert',
        text: `SELECT count(pgq.insert_event('companies', 'company', data)) FROM unnest($1::text[]) AS data`,
        values: [events],
      });
      await pool.query(`SELECT pgq.ticker('companies')`);
    }
  }

  async function consume(count) {
    const client = await pool.connect();
    for (let left = count; left > 0;) left -= await consumeBatch(client);
    client.release();
  }

  async function consumeBatch(client) {
    await client.query('BEGIN');
    const next = await client.query(`SELECT pgq.next_batch('companies', 'peers') AS id`);
    const { id } = next.rows[0];
    if (id === null) {
      await client.query('COMMIT');
      await sleep(pollMs);
      return 0;
    }
    const { rows } = await client.query('SELECT ev_data FROM pgq.get_batch_events($1)', [id]);
    if (rows.length > 0)
      await client.query(commitOf(answer(rows.map(({ ev_data: data }) => JSON.parse(data)))));
    await client.query('SELECT pgq.finish_batch($1)', [id]);
    await client.query('COMMIT');
    return rows.length;
  }

  return {
    run: async (companies) => void (await Promise.all([produce(companies), consume(companies.length)])),
  };
});
