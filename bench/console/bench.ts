import type pg from 'pg';
import { z } from 'zod';
import { openDatabase } from '../../db/connection/client.ts';
import { findAccount } from '../../db/stores/accounts/accounts.ts';
import { createSessionStore } from '../../db/stores/accounts/sessions.ts';
import { createUserStore } from '../../db/stores/accounts/users.ts';
import type { Closers } from '../../src/closers.ts';
import { beginSession } from '../../src/core/accounts/sign-in.ts';
import { startProductServer } from '../api/servers.ts';
import { connect } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import type { ConsoleFigures, ListFigures, QuestionFigures } from './figures.ts';
import { openListSetting, readSizes, type ListSetting } from './list-setting.ts';
import { sampleList } from './list-sample.ts';
import {
  askAlone,
  askTogether,
  figuresOf,
  learn,
  openAgent,
  type Asker,
  type KnownQuestion,
  type Measured,
} from './measure.ts';
import { variants } from './queries.ts';
import { newOrdersOf, questionsAbout, type Question } from './questions.ts';
import { consoleResult } from './result.ts';
import { openRecordedStores } from './stores.ts';

const rowsDefault = { full: 200_000, smallest: 5_000 };
/** Requests per query: warm-up, per round, and concurrent ones. */
const requestsDefault = {
  full: { warmUps: 5, perRound: 30, together: 40 },
  smallest: { warmUps: 1, perRound: 5, together: 8 },
};

/** Pages of a finished batch: each over HTTP, and the same SQL alone. */
export function benchConsole(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => consoleResult(await measure(options, closers)));
}

async function measure(options: BenchOptions, closers: Closers): Promise<ConsoleFigures> {
  const setting = await openListSetting(
    { seed: options.seed, rows: options.rows ?? sizeOf(options, rowsDefault) },
    closers,
  );
  const { server } = setting;
  const url = server.url('nightshift_app');
  const client = await openClient(url, closers);
  const signedIn = await signIn(url);
  const stores = openRecordedStores(url, signedIn.accountId, closers);
  const known: KnownQuestion[] = [];
  for (const question of await readQuestions(setting, client)) known.push(await learn(stores, question));
  const asker = { url: await startProductServer(server.home, closers), session: signedIn.session };
  const requests = options.isSmallest ? requestsDefault.smallest : requestsDefault.full;
  const questions = await measureAll(known, { asker, client, rounds: options.rounds, ...requests });
  say('Orders that are not kept');
  questions.push(
    await measureOnce(await learn(stores, newOrdersOf(setting.made.publicId)), { asker, client }),
  );
  return {
    machine: await readMachine(server.url('postgres')),
    list: await describeList(setting, client),
    questions,
    requests: { alone: requests.perRound * options.rounds, together: requests.together },
  };
}

async function openClient(url: string, closers: Closers): Promise<pg.Client> {
  return closers.add(await connect(url, '-c role=nightshift_app'), (client) => client.end());
}

/** A session, as a sign-in creates one. */
async function signIn(url: string): Promise<{ readonly accountId: number; readonly session: string }> {
  const database = openDatabase({
    url,
    role: 'nightshift_app',
    connectionsMax: 1,
    name: 'nightshift bench',
    onIdleError: () => undefined,
  });
  try {
    const accountId = await findAccount(database.sql, 'default');
    const user = { login: 'bench@example.com', role: 'viewer' as const, accountId };
    const { userId } = await createUserStore(database.sql).add(user, { actor: 'cli', address: null });
    const origin = { method: 'link' as const, address: '127.0.0.1', agent: 'bench' };
    return { accountId, session: await beginSession(createSessionStore(database.sql), userId, origin) };
  } finally {
    await database.close();
  }
}

async function readQuestions(
  { list, rows, made: { batchId, publicId } }: ListSetting,
  client: pg.Client,
): Promise<readonly Question[]> {
  const span = await client.query<{ first: string; last: string }>(
    'SELECT min(first_lookup_id) AS first, max(last_lookup_id) AS last FROM nightshift.chunks WHERE batch_id = $1',
    [batchId],
  );
  const { first = '0', last = '0' } = span.rows[0] ?? {};
  const lookups = { first: BigInt(first), last: BigInt(last) };
  return questionsAbout({ batch: publicId, rows, lookups, sample: sampleList(list, variants) });
}

interface Measuring {
  readonly asker: Asker;
  readonly client: pg.Client;
  readonly rounds: number;
  readonly warmUps: number;
  readonly perRound: number;
  readonly together: number;
}

/** Runs every query in each round, so that each runs at several times; then all of them concurrently. */
async function measureAll(
  known: readonly KnownQuestion[],
  { asker, client, rounds, warmUps, perRound, together }: Measuring,
): Promise<QuestionFigures[]> {
  const agent = openAgent(1);
  const measured = known.map((): Measured => ({ http: [], sql: [] }));
  try {
    say('Warming up');
    for (const question of known) await askAlone(question, warmUps, { asker, client, agent });
    for (let n = 1; n <= rounds; n += 1) {
      say(`Round ${n} of ${rounds}`);
      for (const [i, question] of known.entries()) {
        const { http, sql } = await askAlone(question, perRound, { asker, client, agent });
        measured[i]?.http.push(...http);
        measured[i]?.sql.push(...sql);
      }
    }
  } finally {
    agent.destroy();
  }
  say('Several at a time');
  const figures: QuestionFigures[] = [];
  for (const [i, question] of known.entries())
    figures.push(
      figuresOf(question, measured[i] ?? { http: [], sql: [] }, await askTogether(question, together, asker)),
    );
  return figures;
}

/** Sends each request of a slow question once alone, and once beside others. */
async function measureOnce(
  question: KnownQuestion,
  { asker, client }: Pick<Measuring, 'asker' | 'client'>,
): Promise<QuestionFigures> {
  const agent = openAgent(1);
  const times = question.pages.length;
  try {
    const alone = await askAlone(question, times, { asker, client, agent });
    return figuresOf(question, alone, await askTogether(question, times, asker));
  } finally {
    agent.destroy();
  }
}

const facets = z.object({
  outcomes: z.array(z.object({ value: z.string(), count: z.number() })),
  emailStatuses: z.array(z.object({ value: z.string(), count: z.number() })),
  ads: z.number(),
});

async function describeList(
  { server, rows, made: { batchId, load, work }, prepared }: ListSetting,
  client: pg.Client,
): Promise<ListFigures> {
  const kept = await client.query<{ facets: unknown }>(
    'SELECT facets FROM nightshift.batch_facets WHERE batch_id = $1',
    [batchId],
  );
  const { outcomes, emailStatuses, ads } = facets.parse(kept.rows[0]?.facets);
  const counts = (of: typeof outcomes) => Object.fromEntries(of.map(({ value, count }) => [value, count]));
  return {
    rows,
    load,
    work,
    ...prepared,
    bytes: await readSizes(server),
    outcomes: counts(outcomes),
    ads,
    verdicts: counts(emailStatuses),
  };
}
