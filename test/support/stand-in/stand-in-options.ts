import type { StandInAd, WireShape } from './stand-in-ads.ts';
import type { RateLimit } from './stand-in-limit.ts';
import type { ScriptLine } from './stand-in-script.ts';

/** Options of the stand-in. All but `ads` is plain data and can be passed to `source-stand-in-main.ts`. */
export interface StandInOptions {
  /** The API key it accepts. Default `stand-in-key`. */
  readonly key?: string;
  /** Default `B`. */
  readonly shape?: WireShape;
  /** Seed of ads and latencies. Default 1. */
  readonly seed?: number;
  /** The ads of a company, by domain, else name. Default `generateAds` with the seed. */
  readonly ads?: (company: string) => readonly StandInAd[] | 'no_match';
  /** Milliseconds from the arrival of a call to its effect and answer, drawn by the seed. Default none. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
  /** True when a repeat of an `Idempotency-Key` gets the stored answer and has no second effect. Default true. */
  readonly idempotent?: boolean;
  /** Default none. */
  readonly rateLimit?: RateLimit;
  /** Failures and their timing. Default none. */
  readonly script?: readonly ScriptLine[];
  /** File to which every finished call is appended, as NDJSON. Default none. */
  readonly logFile?: string;
  /** Port on 127.0.0.1. Default a free one. */
  readonly port?: number;
}
