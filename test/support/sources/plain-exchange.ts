import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import type { SourceCallExecutor, SourceCall } from '../../../src/core/sources/source-call.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';

/** Report of an adapter about a call, besides its value. */
export interface MadeCall {
  readonly about: string;
  readonly unitsMax: number;
  readonly says: string;
  readonly units: number;
  readonly charged: number | null;
}

/** An executor without rate limit and call log: sends each call at once, and records the adapter's reports. */
export function plainExchange(signal: AbortSignal = new AbortController().signal) {
  const made: MadeCall[] = [];
  async function send<T>({ about, unitsMax, send: sendCall, read }: SourceCall<T>): Promise<T> {
    signal.throwIfAborted();
    const { value, says, units, charged = null } = read((await sendCall(signal)).text);
    made.push({ about, unitsMax, says, units, charged });
    return value;
  }
  const exchange: SourceCallExecutor = Object.assign(send, { comesBack: false });
  return { exchange, made };
}

/** A request for a company, in any region, without a mapping. */
export function questionAbout(company: CompanyQuery, changes: Partial<AdsQuestion> = {}): AdsQuestion {
  return { company, mapping: [], region: null, adsMax: null, requestKey: 'request-1', via: [], ...changes };
}
