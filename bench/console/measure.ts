import { Agent, request } from 'node:http';
import type pg from 'pg';
import { expectEqual } from '../support/expect.ts';
import { percentile, timed } from '../support/figures.ts';
import type { Asked } from './ask-for.ts';
import { askersTogether, type Latencies, type QuestionFigures } from './figures.ts';
import type { Question } from './questions.ts';
import type { RecordedStores, Statement } from './stores.ts';

/** Client of a server, signed in. */
export interface Asker {
  readonly url: string;
  readonly session: string;
}

/** A query with the content of its pages and the statements behind them. */
export interface KnownQuestion {
  readonly name: string;
  readonly pages: readonly KnownPage[];
}

interface KnownPage {
  readonly asked: Asked;
  readonly count: number;
  readonly statements: readonly Statement[];
}

/** Runs each query once through the stores, which also warms up Postgres. */
export async function learn(stores: RecordedStores, { name, asked }: Question): Promise<KnownQuestion> {
  const pages: KnownPage[] = [];
  for (const one of asked) {
    // The first page in an order sorts the batch; what is compared are the pages after it.
    await stores.record(one.read);
    const { value: count, statements } = await stores.record(one.read);
    pages.push({ asked: one, count, statements });
  }
  return { name, pages };
}

/** Milliseconds of single requests, and of the same SQL alone. */
export interface Measured {
  readonly http: number[];
  readonly sql: number[];
}

/** Sends requests, and runs only the statements in alternation. */
export async function askAlone(
  { pages }: KnownQuestion,
  times: number,
  { asker, client, agent }: { readonly asker: Asker; readonly client: pg.Client; readonly agent: Agent },
): Promise<Measured> {
  const measured: Measured = { http: [], sql: [] };
  for (let n = 0; n < times; n += 1) {
    const page = pageAt(pages, n);
    measured.http.push(await ask(page, asker, agent));
    measured.sql.push((await timed(() => runAll(client, page.statements))).seconds * 1000);
  }
  return measured;
}

/** Sends requests concurrently; each client sends the next one after its answer. */
export async function askTogether({ pages }: KnownQuestion, times: number, asker: Asker): Promise<number[]> {
  const agent = openAgent(askersTogether);
  const taken: number[] = [];
  let asked = 0;
  async function goOn(): Promise<void> {
    while (asked < times) taken.push(await ask(pageAt(pages, asked++), asker, agent));
  }
  try {
    await Promise.all(Array.from({ length: askersTogether }, goOn));
  } finally {
    agent.destroy();
  }
  return taken;
}

/** Persistent connections. */
export function openAgent(connections: number): Agent {
  return new Agent({ keepAlive: true, maxSockets: connections });
}

/** Figures of a request over all rounds. */
export function figuresOf(
  { name, pages }: KnownQuestion,
  { http, sql }: Measured,
  together: readonly number[],
): QuestionFigures {
  return {
    name,
    alone: latenciesOf(http),
    together: latenciesOf(together),
    sql: latenciesOf(sql),
    statements: Math.max(...pages.map(({ statements }) => statements.length)),
  };
}

function latenciesOf(ms: readonly number[]): Latencies {
  return { p50Ms: percentile(ms, 0.5), p95Ms: percentile(ms, 0.95), p99Ms: percentile(ms, 0.99) };
}

function pageAt(pages: readonly KnownPage[], n: number): KnownPage {
  const page = pages[n % pages.length];
  if (page === undefined) throw new Error('There is a question that nothing is asked with.');
  return page;
}

async function runAll(client: pg.Client, statements: readonly Statement[]): Promise<void> {
  for (const { text, values } of statements) await client.query(text, values);
}

/** Milliseconds until the answer was read; it is checked afterwards. */
async function ask({ asked, count }: KnownPage, { url, session }: Asker, agent: Agent): Promise<number> {
  const { seconds, value } = await timed(() => get(`${url}${asked.path}`, session, agent));
  expectEqual(`The status of ${asked.path} (${value.text.slice(0, 200)})`, value.status, 200);
  expectEqual(`What ${asked.path} holds`, asked.countOf(JSON.parse(value.text)), count);
  return seconds * 1000;
}

function get(
  url: string,
  session: string,
  agent: Agent,
): Promise<{ readonly status: number | undefined; readonly text: string }> {
  const headers = { Cookie: `nightshift_session=${session}`, 'Sec-Fetch-Site': 'same-origin' };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode, text: Buffer.concat(parts).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}
