import { expect } from 'vitest';
import type { Answer, TestApi } from './test-api.ts';

export const path = '/v1/schedules';
export const noSuchSchedule = 'sch_01a1ff734ad87655b2c761ba36458456';

/** A schedule as it is answered. */
export type ScheduleOut = Readonly<Record<string, unknown>> & { readonly id: string };

/** A scan as it is answered, as far as tests read it. */
export interface ScanOut {
  readonly id: string;
  readonly state: string;
  readonly batch: string | null;
}

/** Calls of tests to the schedules API. */
export function createSchedulesApi(api: () => TestApi) {
  /** Two companies, every night, but for what is given. */
  async function send(key: string, given: Readonly<Record<string, unknown>>): Promise<Answer> {
    const rows = [{ company_domain: 'nike.com' }, { company_domain: 'adidas.de' }];
    return api().call('POST', path, { key, json: { name: 'nightly', cron: '0 2 * * *', rows, ...given } });
  }

  async function add(key: string, given: Readonly<Record<string, unknown>>): Promise<ScheduleOut> {
    const answer = await send(key, given);
    expect(answer.status, answer.text).toBe(201);
    return answer.json() as ScheduleOut;
  }

  async function read<Body>(key: string, at: string): Promise<Body> {
    const answer = await api().call('GET', at, { key });
    expect([answer.status, at]).toEqual([200, at]);
    return answer.json() as Body;
  }

  return {
    send,
    add,
    read,
    /** One of the account `default`, with a key for it. */
    added: async (given: Readonly<Record<string, unknown>>) => {
      const key = await api().createKey();
      const schedule = await add(key, given);
      return { key, id: schedule.id, schedule };
    },
    /** A new account with so many schedules; their ids in the order in which they were made. */
    accountWith: async (name: string, schedules: number) => {
      await api().createAccount(name, 10n);
      const key = await api().createKey({ account: name });
      const ids: string[] = [];
      for (let n = 0; n < schedules; n += 1) ids.push((await add(key, { name: `schedule ${n}` })).id);
      return { key, ids };
    },
  };
}
