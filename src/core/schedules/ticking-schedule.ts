/** An active schedule as the queue needs it. */
export interface TickingSchedule {
  readonly publicId: string;
  /** Increases with every change of pattern, zone or state. */
  readonly revision: number;
  readonly cron: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** Changes whenever a schedule starts, stops or changes its ticks. */
export interface TickingStamp {
  readonly count: number;
  readonly revisions: number;
}

/** Port: the active schedules. */
export interface TickingStore {
  readTickingStamp(): Promise<TickingStamp>;
  listTicking(): Promise<readonly TickingSchedule[]>;
}
