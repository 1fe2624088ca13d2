/** An active schedule as the queue needs it. */
export interface TickingSchedule {
  readonly publicId: string;
  /** Counted up with every change of pattern, zone or state. */
  readonly revision: number;
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** Changes whenever a schedule begins or ceases to tick, or ticks otherwise. */
export interface TickingStamp {
  readonly count: number;
  readonly revisions: number;
}

/** Port: the schedules that tick. */
export interface TickingStore {
  readTickingStamp(): Promise<TickingStamp>;
  listTicking(): Promise<readonly TickingSchedule[]>;
}
