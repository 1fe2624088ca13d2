// Runs an engine for the benchmark, which sends two kinds of messages: where the servers are, and companies to look up.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { commitAnswers } from '../peer-sql.ts';
import { askSource } from '../peer-task.ts';

/**
 * Serves the engine that `open` opens. It gets the place (databaseUrl, redisUrl, size, and `answer`, which asks the source and returns
 * the only parameter of the commit) and returns `run`, which looks up companies and resolves once the queue is empty.
 */
export function serve(open) {
  let engine;
  process.on('disconnect', () => process.exit(0));
  process.on('SIGINT', () => undefined);
  process.on('message', async (message) => {
    try {
      if (message.kind === 'open') engine = await open({ ...message, answer: answerFor(message.seed) });
      else await engine.run(message.companies);
      process.send({ error: null });
    } catch (error) {
      process.send({ error: error instanceof Error ? error.stack : String(error) });
    }
  });
}

/** The statement of the commit, prepared once for each connection. */
export const commitOf = (answers) => ({ name: 'commit', text: commitAnswers, values: [answers] });

export { commitAnswers };

/** Opens a pool of connections to the database of the task. */
export function openPool(databaseUrl, max, options = '') {
  const pool = new pg.Pool({ connectionString: databaseUrl, max, options });
  pool.on('error', () => undefined);
  return pool;
}

/** Counts down; `empty` resolves at zero. */
export function countdown(count) {
  let left = count;
  let resolve;
  const empty = new Promise((resolved) => (resolve = resolved));
  return {
    empty,
    done: (finished = 1) => {
      left -= finished;
      if (left === 0) resolve();
    },
  };
}

/** Resolves once a query has no rows: what an engine writes after the last company is committed. */
export async function untilEmpty(query) {
  while ((await query()).rows.length > 0) await sleep(pollMs);
}

export { sleep };

/** Interval between two questions. */
export const pollMs = 5;

/** Slices of a list. */
export function* slicesOf(list, size) {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}

function answerFor(seed) {
  return (companies) => JSON.stringify(companies.map((company) => askSource(company, seed)));
}
