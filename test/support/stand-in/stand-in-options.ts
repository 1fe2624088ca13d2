import type { StandInAd, WireShape } from './stand-in-ads.ts';
import type { RateLimit } from './stand-in-limit.ts';
import type { ScriptLine } from './stand-in-script.ts';

/** Options of the stand-in. All but `ads` are plain data and can be passed to `source-stand-in-main.ts`. */
export interface StandInOptions {
  /** Accepted API key. Default: `stand-in-key`. */
  readonly key?: string;
  /** Default: `B`. */
  readonly shape?: WireShape;
  /** Seed of ads and latencies. Default: 1. */
  readonly seed?: number;
  /** Ads of a company, by domain, otherwise name. Default: `generateAds` with the seed. */
  readonly ads?: (company: string) => readonly StandInAd[] | 'no_match';
  /** Milliseconds from the arrival of a call to its effect and answer, random by the seed. Default: none. */
  readonly latencyMs?: { readonly min: number; readonly max: number };
  /** True if a repeated `Idempotency-Key` gets the stored answer and has no second effect. Default: true. */
  readonly idempotent?: boolean;
  /** Default: none. */
  readonly rateLimit?: RateLimit;
  /** Failures and their timing. Default: none. */
  readonly script?: readonly ScriptLine[];
  /** File to which every finished call is appended, as NDJSON. Default: none. */
  readonly logFile?: string;
  /** Port on 127.0.0.1. Default: a free one. */
  readonly port?: number;
}
