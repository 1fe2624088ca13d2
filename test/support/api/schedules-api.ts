import { expect } from 'vitest';
import type { Answer, TestApi } from './test-api.ts';

export const path = '/v1/schedules';
export const noSuchSchedule = 'sch_01a1ff734ad87655b2c761ba36458456';

/** A schedule as the API returns it. */
export type ScheduleOut = Readonly<Record<string, unknown>> & { readonly id: string };

/** A scan as the API returns it; only the fields that tests read. */
export interface ScanOut {
  readonly id: string;
  readonly state: string;
  readonly batch: string | null;
}

/** Calls of the schedules API for tests. */
export function createSchedulesApi(api: () => TestApi) {
  /** Creates a schedule: two companies, daily, unless `given` says otherwise. */
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
    /** Creates a schedule of the account `default`, and a key for it. */
    added: async (given: Readonly<Record<string, unknown>>) => {
      const key = await api().createKey();
      const schedule = await add(key, given);
      return { key, id: schedule.id, schedule };
    },
    /** Creates an account with this many schedules. Returns their ids in order of creation. */
    accountWith: async (name: string, schedules: number) => {
      await api().createAccount(name, 10n);
      const key = await api().createKey({ account: name });
      const ids: string[] = [];
      for (let n = 0; n < schedules; n += 1) ids.push((await add(key, { name: `schedule ${n}` })).id);
      return { key, ids };
    },
  };
}
