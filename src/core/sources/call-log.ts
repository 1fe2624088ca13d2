import type { Pause } from '../work/pause.ts';
import type { CalledSource } from './ad-source.ts';

/**
 * Port: calls to live sources, recorded before they are sent (docs/architecture/decisions/0004-exactly-once-commit.md), and what is known
 * of the sources from them.
 */
export interface SourceCallLog {
  /** Replies are kept, so that `readReply` finds them. */
  readonly storesResponses: boolean;
  /** True when the source's limit of calls in flight leaves room for one more; checked before a reservation, which would be lost. */
  hasRoom(source: CalledSource): Promise<boolean>;
  /** Puts a call on record; only one that has begun may be sent. */
  begin(source: CalledSource, call: NewCall): Promise<Begun>;
  /**
   * A call on record goes out only now: it counts among those in flight from this moment. False when their limit leaves no room for it.
   */
  renew(source: CalledSource, call: BegunCall): Promise<boolean>;
  /**
   * Writes down what came of a call. At a source that recognises a repeat, earlier calls of the lookup about the same thing and under
   * the same key cost nothing once one of them is answered. Answers for how long the source is left alone now, where that follows.
   */
  end(source: CalledSource, callId: bigint, end: CallEnd): Promise<Pause | null>;
  /** Nobody asks the source for a while. */
  pause(source: CalledSource, pause: Pause): Promise<void>;
  /** The reply to an earlier call; null when it was not kept, or not for so long. */
  readReply(callId: bigint): Promise<string | null>;
}

export interface NewCall {
  readonly lookupId: bigint;
  readonly requestKey: string;
  /** `SourceCall.about`. */
  readonly about: string;
  /** `SourceCall.unitsMax`. */
  readonly unitsMax: number;
}

/** A call that is on record. */
export interface BegunCall {
  readonly callId: bigint;
  /** It tries how the source does after a pause, and everybody else waits for that. */
  readonly isProbe: boolean;
}

/** Result of recording a call before it is sent. */
export type Begun =
  | ({ readonly kind: 'begun' } & BegunCall)
  /** As many are in flight as the source allows. */
  | { readonly kind: 'full' }
  /** The source is not asked at the moment. */
  | { readonly kind: 'paused'; readonly pause: Pause };

export interface CallEnd {
  /** Kind of the answer, the code of the error, or `not_sent`. */
  readonly answer: string;
  /** Cost by the price list. */
  readonly units: number;
  /** Charge that the source reports. */
  readonly charged: number | null;
  /** Reply to store. */
  readonly reply: string | null;
  /** Health of the source by this call; null: unknown. */
  readonly health: SourceHealth | null;
  /** The source has declined the question; null: it has not, or the company alone is to blame. */
  readonly refusal: CallRefusal | null;
  /** `BegunCall.isTrial`: where it says nothing of the health, another may try. */
  readonly isProbe: boolean;
}

/** A question that a source has declined. So many alike in a row, and it is left alone (`declined`). */
export interface CallRefusal {
  /** Equal for refusals that are alike. */
  readonly likeness: string;
  readonly alikeMax: number;
  /** `Pause.reason` and `Pause.delayMs`. */
  readonly reason: string;
  readonly delayMs: number;
}

/** `down`: it gave no answer. `odd`: its answer cannot be read. */
export type SourceHealth = 'good' | 'down' | 'unreadable';
