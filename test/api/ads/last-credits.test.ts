import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { useTestApi, type ProblemBody } from '../../support/api/test-api.ts';
import { createSender, type PlainAnswer } from '../../support/openapi/send-request.ts';

const searches = 1000;
/** Client and server share a process here: of more connections at once, some would miss the server's limit for headers on a busy machine. */
const connections = 200;
const finds = 100;
/** Cost of these finds, at 0.2 each. */
const credits = 20n;
/** All of them have ads in the sample. */
const companies = ['Nike, Inc.', 'IKEA', 'Uber', 'Netflix, Inc.', 'Airbnb, Inc.'];

interface Body {
  readonly credits_consumed: number;
  readonly ads_count: number;
}

describe.each([['postgres'], ['redis']] as const)('with the rate limits on %s', (queue) => {
  const isThere = queue === 'postgres' || inject('redisUrl') !== null;

  describe.skipIf(!isThere)(
    `1,000 searches, ${connections} at a time, with credits for ${finds} finds`,
    () => {
      const api = useTestApi({ queue });

      test('find ads for every company', async () => {
        const key = await api().createKey();
        for (const company_name of companies) {
          const answer = await api().call('POST', '/v1/ads/google-ads-search', {
            key,
            json: { company_name },
          });
          expect([company_name, (answer.json() as Body).credits_consumed]).toEqual([company_name, 0.2]);
        }
      });

      test('charge exactly 100 searches, reject the others with 402, and end with a balance of 0', async () => {
        await api().createAccount('tight', credits);
        const keys = await Promise.all([1, 2, 3].map(() => api().createKey({ account: 'tight' })));
        const lowest = watchBalance(() => api().balance('tight'));
        const answers = await searchAtOnce(api().url, keys).finally(lowest);
        const found = answers.filter(({ status }) => status === 200);
        const refused = answers.filter(({ status }) => status === 402);
        expect(countStatuses(answers)).toEqual({ 200: finds, 402: searches - finds });
        expect(new Set(found.map((answer) => bodyOf<Body>(answer).credits_consumed))).toEqual(new Set([0.2]));
        expect(found.every((answer) => bodyOf<Body>(answer).ads_count > 0)).toBe(true);
        const errors = refused.flatMap((answer) => bodyOf<ProblemBody>(answer).errors);
        expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['insufficient_credits']));
        expect(await lowest()).toBeGreaterThanOrEqual(0n);
        expect(await api().balance('tight')).toEqual({ balanceMicro: 0n, heldMicro: 0n });
      });

      test('leave 100 charges of 0.2 credits in the ledger, and no lookup for a rejected search', async () => {
        const { pool } = api().database.owner;
        const charges = await pool.query(
          `SELECT count(*)::integer AS n, sum(charged_micro)::integer AS micro,
            count(*) FILTER (WHERE outcome = 'found')::integer AS found
          FROM nightshift.all_lookups l JOIN nightshift.accounts a ON a.id = l.account_id WHERE a.name = 'tight'`,
        );
        expect(charges.rows).toEqual([{ n: finds, micro: Number(credits) * 1_000_000, found: finds }]);
      });

      test('are followed by another rejection, and by five searches after a grant of one credit', async () => {
        const accountId = await api().app.accounts.store.find('tight');
        const key = await api().createKey({ account: 'tight' });
        const search = () =>
          api().call('POST', '/v1/ads/google-ads-search', { key, json: { company_domain: 'nike.com' } });
        expect((await search()).status).toBe(402);
        await api().app.credits.ledger.grant(accountId, [
          { key: null, amountMicro: 1_000_000n, reason: 'test' },
        ]);
        expect(countStatuses(await Promise.all(Array.from({ length: 8 }, search)))).toEqual({
          200: 5,
          402: 3,
        });
        expect(await api().balance('tight')).toEqual({ balanceMicro: 0n, heldMicro: 0n });
      });

      test('every invariant holds', async () => {
        expect(await api().findings()).toEqual([]);
      });
    },
  );
});

/** Sends all searches, as many at a time as there are connections. */
async function searchAtOnce(url: string, keys: readonly string[]): Promise<readonly PlainAnswer[]> {
  const { send, close } = createSender(url, connections);
  try {
    return await Promise.all(
      Array.from({ length: searches }, (_, n) =>
        send({
          method: 'POST',
          path: '/v1/ads/google-ads-search',
          headers: { 'X-API-Key': pick(keys, n), 'Content-Type': 'application/json' },
          body: Buffer.from(JSON.stringify({ company_name: pick(companies, n) })),
        }),
      ),
    );
  } finally {
    close();
  }
}

function bodyOf<T>({ body }: PlainAnswer): T {
  return JSON.parse(body.toString()) as T;
}

/** Polls the balance until it is asked for the minimum. */
function watchBalance(read: () => Promise<{ readonly balanceMicro: bigint }>): () => Promise<bigint> {
  const watch = { isOn: true };
  const watching = (async () => {
    let lowest = (await read()).balanceMicro;
    while (watch.isOn) {
      const { balanceMicro } = await read();
      if (balanceMicro < lowest) lowest = balanceMicro;
      await sleep(5);
    }
    return lowest;
  })();
  return () => {
    watch.isOn = false;
    return watching;
  };
}

function countStatuses(answers: readonly { readonly status: number }[]): Readonly<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function pick(from: readonly string[], n: number): string {
  return from[n % from.length] ?? '';
}
