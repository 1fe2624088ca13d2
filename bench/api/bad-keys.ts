import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../db/connection/client.ts';
import { findAccount } from '../../db/stores/accounts/accounts.ts';
import { createKeyStore } from '../../db/stores/accounts/api-keys.ts';
import { createApiKey, defaultScopes } from '../../src/core/accounts/api-key.ts';
import { authenticate } from '../../src/core/accounts/authenticate.ts';
import { randomAt } from '../data/random.ts';
import { expectEqual } from '../support/expect.ts';
import { median, timed } from '../support/figures.ts';

/** Kinds of bad keys. */
export const badKeyKinds = [
  'missing',
  'malformed',
  'wrong checksum',
  'unknown',
  'expired',
  'revoked',
] as const;
export type BadKeyKind = (typeof badKeyKinds)[number];

export type BadKeys = Readonly<Record<BadKeyKind, string>>;

/** Time to reject each kind, and the differences between kinds. Milliseconds. */
export interface RefusalTimes {
  readonly p50: Readonly<Record<BadKeyKind, number>>;
  /**
   * Difference between the fastest and the slowest kind, each by the median of its distance from the middle of its round: the
   * speed of the machine changes from second to second, and all kinds of a round meet the same.
   */
  readonly apart: number;
}

const by = { actor: 'cli', address: null };

/** Creates a key of each kind; expired and revoked ones were valid keys of the account `default`. */
export async function makeBadKeys({ sql }: Database): Promise<BadKeys> {
  const keys = createKeyStore(sql);
  const accountId = await findAccount(sql, 'default');
  const create = (expiresAt: Date | null) =>
    keys.create(accountId, { name: 'bench', scopes: defaultScopes, expiresAt }, by);
  const revoked = await create(null);
  await keys.revoke(accountId, revoked.keyId, by);
  const unknown = createApiKey();
  return {
    missing: '',
    malformed: 'let me in',
    'wrong checksum': `${unknown.slice(0, -1)}${unknown.endsWith('0') ? '1' : '0'}`,
    unknown,
    expired: (await create(new Date(Date.now() - 60_000))).key,
    revoked: revoked.key,
  };
}

/** Measures the product's own check of keys, one after the other. */
export async function measureChecks(
  { sql }: Database,
  bad: BadKeys,
  { turns, seed }: Turns,
): Promise<RefusalTimes> {
  const keys = createKeyStore(sql);
  return measureInTurns({ turns, seed }, async (kind) => {
    expectEqual(`The answer to a key: ${kind}`, (await authenticate(keys, bad[kind])).kind, 'refused');
  });
}

/** Measures as a client over one connection. */
export async function measureAnswers(
  url: string,
  bad: BadKeys,
  { turns, seed }: Turns,
): Promise<RefusalTimes> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    return await measureInTurns({ turns, seed, pauseMs: answerPauseMs }, async (kind) => {
      const headers = kind === 'missing' ? {} : { 'X-API-Key': bad[kind] };
      const sent = request(`${url}/v1/credits`, { agent, headers });
      sent.end();
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expectEqual(`The status of an answer to a key: ${kind}`, answer.statusCode, 401);
      answer.resume();
      await once(answer, 'end');
    });
  } finally {
    agent.destroy();
  }
}

/** Time for the entry in the audit log, for which a rejection does not wait. */
const answerPauseMs = 2;

export interface Turns {
  readonly turns: number;
  readonly seed: number;
}

/** Runs every kind once per round, in a random order. The first rounds warm up and do not count. */
async function measureInTurns(
  { turns, seed, pauseMs = 0 }: Turns & { readonly pauseMs?: number },
  ask: (kind: BadKeyKind) => Promise<void>,
): Promise<RefusalTimes> {
  const taken: Record<BadKeyKind, number>[] = [];
  const warmUps = turns / 10;
  for (let turn = 0; turn < turns + warmUps; turn += 1) {
    const places = badKeyKinds.map((kind, i) => ({
      kind,
      at: randomAt(seed, turn * badKeyKinds.length + i),
    }));
    const ms: [BadKeyKind, number][] = [];
    for (const { kind } of places.sort((a, b) => a.at - b.at)) {
      if (pauseMs > 0) await sleep(pauseMs);
      ms.push([kind, (await timed(() => ask(kind))).seconds * 1000]);
    }
    if (turn >= warmUps) taken.push(Object.fromEntries(ms) as Record<BadKeyKind, number>);
  }
  return timesOf(taken);
}

function timesOf(turns: readonly Readonly<Record<BadKeyKind, number>>[]): RefusalTimes {
  const middles = turns.map((turn) => median(Object.values(turn)));
  const beyond = badKeyKinds.map((kind) => median(turns.map((turn, i) => turn[kind] - (middles[i] ?? 0))));
  const p50s = badKeyKinds.map((kind) => [kind, median(turns.map((turn) => turn[kind]))] as const);
  return {
    p50: Object.fromEntries(p50s) as Record<BadKeyKind, number>,
    apart: Math.max(...beyond) - Math.min(...beyond),
  };
}
