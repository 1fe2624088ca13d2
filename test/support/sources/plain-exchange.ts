import type { AdsQuestion } from '../../../src/core/sources/ad-source.ts';
import type { SourceCallExecutor, SourceCall } from '../../../src/core/sources/source-call.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';

/** Report of an adapter about a call, beside its value. */
export interface MadeCall {
  readonly about: string;
  readonly unitsMax: number;
  readonly says: string;
  readonly units: number;
  readonly charged: number | null;
}

/** An exchange without turns and records: sends each call at once, and keeps what the adapter said of it. */
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

/** A question about a company, anywhere, without a mapping. */
export function questionAbout(company: CompanyQuery, changes: Partial<AdsQuestion> = {}): AdsQuestion {
  return { company, mapping: [], region: null, adsMax: null, requestKey: 'request-1', via: [], ...changes };
}
