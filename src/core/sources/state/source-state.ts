import type { LiveCheck } from '../reply-shape.ts';
import type { SourcePrice } from '../source-bill.ts';
import type { SourceLimits } from '../source-call.ts';
import type { SourcePause } from './source-pause.ts';

/** State of a source: whether lookups can use it, its price and limits, and how its adapter was tested. */
export interface SourceState {
  /** Name in commands, settings and the database. */
  readonly id: string;
  /** The source itself, as a noun phrase. */
  readonly about: string;
  /** Ad platform, or `any` if its settings decide; null for a source that answers from Nightshift's own database, without a call. */
  readonly platform: string | null;
  /** True when a search can be limited to a country. */
  readonly hasRegions: boolean;
  /** True when the vendor charges for calls. */
  readonly charges: boolean;
  /** Missing settings, with the remedy; null when lookups can use the source. */
  readonly lacks: string | null;
  /** True when lookups that name no source use it. */
  readonly isDefault: boolean;
  /** Current price of a unit; null without one in the price book. */
  readonly price: SourcePrice | null;
  /** Limits of its calls; null for a source that is not called or not configured. */
  readonly limits: SourceLimits | null;
  /** Null: not paused. A pause that has passed lasts until its probe succeeds. */
  readonly pause: SourcePause | null;
  /** True when its adapter is tested against recorded responses; false: none are recorded; null: the source sends no responses. */
  readonly checkedShape: boolean | null;
  /** Replacement for recorded responses, such as `its schema`; null without one. */
  readonly checkedBy: string | null;
  /** The last live check; null: never. */
  readonly checkedLive: LiveCheck | null;
}
