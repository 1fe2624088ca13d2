import type { AccountSourceLimits } from '../accounts/account-limits.ts';
import type { EarlierCall } from '../work/claim.ts';
import type { Pause } from '../work/wait-cause.ts';
import type { CalledSource } from './ad-source.ts';

/**
 * Port: the log of calls to live sources, written before they are sent
 * (docs/architecture/decisions/0004-exactly-once-commit.md), and the state of the sources that follows from it.
 */
export interface SourceCallLog {
  /** True when replies are stored for `readReply`. */
  readonly storesResponses: boolean;
  /**
   * True when the limits of concurrent calls, of the source and of the caller, leave room for one more. Checked before a reservation,
   * which would otherwise be lost. The next room goes to a search that was told false.
   */
  hasRoom(source: CalledSource, caller: Caller): Promise<boolean>;
  /** Records a call. Only a recorded call may be sent. */
  begin(source: CalledSource, call: NewCall): Promise<Begun>;
  /**
   * Marks a recorded call as sent now; from this moment it counts as running, and among the calls of this day. False when a limit of
   * concurrent calls, of the source or of the caller, leaves no room.
   *
   * @throws SourcePaused when the source was paused meanwhile, or when the day has changed, and a limit of calls a day leaves no room on the new one.
   */
  renew(source: CalledSource, call: BegunCall, caller: Caller): Promise<boolean>;
  /**
   * Records the result of a call. At a source that recognizes repeats, an answered call makes earlier calls of the lookup with
   * the same description and key free. Returns the pause of the source, if one follows.
   *
   * While the database is unavailable, the record is repeated until `signal` aborts: the reply may have been paid, and is nowhere else. Without
   * a signal, it is not repeated. Recording a result again changes nothing.
   *
   * @throws DatabaseUnavailable
   */
  end(source: CalledSource, callId: bigint, end: CallEnd, signal?: AbortSignal): Promise<Pause | null>;
  /** Pauses the source for all processes. */
  pause(source: CalledSource, pause: Pause): Promise<void>;
  /** Reads the reply of an earlier call; null if it was not stored or no longer is. */
  readReply(callId: bigint): Promise<string | null>;
  /**
   * Gives the lookup an equal call of its account that a restore brought back without the lookup that it was made for; null: there is
   * none. No other lookup gets the same call.
   */
  adopt(source: CalledSource, call: NewCall): Promise<EarlierCall | null>;
}

/** The account for which a call is made. */
export interface Caller {
  readonly accountId: number;
  /** Its limits at the source; null without any. */
  readonly limits: AccountSourceLimits | null;
  /** True for a single search, whose caller waits; false for a batch. */
  readonly isSearch: boolean;
}

export interface NewCall {
  readonly lookupId: bigint;
  readonly caller: Caller;
  readonly requestKey: string;
  /** `SourceCall.about`. */
  readonly about: string;
  /** `SourceCall.unitsMax`. */
  readonly unitsMax: number;
}

/** A recorded call. */
export interface BegunCall {
  readonly callId: bigint;
  /** True for the probe of a half-open circuit breaker; all other calls wait for it. */
  readonly isProbe: boolean;
}

/** Result of recording a call before it is sent. */
export type Begun =
  | ({ readonly kind: 'begun' } & BegunCall)
  /** The maximum number of calls is running. */
  | { readonly kind: 'full' }
  /** The source is paused. */
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
  /** The source rejected the lookup; null: it did not, or the rejection concerns only this company. */
  readonly refusal: CallRefusal | null;
  /** `BegunCall.isProbe`: if it says nothing about the health, another call may probe. */
  readonly isProbe: boolean;
}

/** End of a call that was not sent, but for its kind. */
export const nothingCame = { units: 0, charged: null, reply: null, health: null, refusal: null } as const;

/** A rejected lookup. Several equal rejections in a row pause the source (`declined`). */
export interface CallRefusal {
  /** The same text for equal rejections. */
  readonly likeness: string;
  readonly alikeMax: number;
  /** `Pause.reason` and `Pause.delayMs`. */
  readonly reason: string;
  readonly delayMs: number;
}

/** `down`: no answer. `unreadable`: the answer cannot be parsed. */
export type SourceHealth = 'good' | 'down' | 'unreadable';
