/** Cost of the calls to one source, in one currency. Amounts are exact decimal text. */
export interface BillLine {
  readonly source: string;
  /** Null: the price book has no price for the source, and the source reports no charge. */
  readonly currency: string | null;
  /** Number of calls that cost something, or may have. */
  readonly calls: number;
  /** Amount by the price book of the source. */
  readonly expected: string;
  /** Charge that the source reported, and the price book's amount for the same calls; null: not reported. */
  readonly charged: string | null;
  readonly chargedExpected: string;
  /** Number of calls whose answer was lost or cannot be parsed, and their maximum cost. */
  readonly callsInDoubt: number;
  readonly inDoubt: string;
}

/** A call for which the source charged another amount than the price book states. */
export interface DriftingCall {
  readonly callId: string;
  readonly source: string;
  readonly sentAt: Date;
  readonly expected: string;
  readonly charged: string;
  readonly currency: string | null;
}

/** Port: the bill of the sources. */
export interface SourceBill {
  /** Reads the cost of calls of the last `ageMsMax` milliseconds; null: of all. One line per source and currency. */
  read(ageMsMax: number | null): Promise<readonly BillLine[]>;
  /** Lists the newest drifting calls. */
  listDrifting(ageMsMax: number | null, limit: number): Promise<readonly DriftingCall[]>;
}

/** Price of a unit at a source, in its own currency, with the time from which it applies. */
export interface SourcePrice {
  readonly source: string;
  /** Exact decimal text. */
  readonly amount: string;
  /** Currency: `USD`, `credits`, `searches`. */
  readonly currency: string;
  /** Description of a unit. */
  readonly unit: string;
  readonly effectiveFrom: Date;
  readonly note: string | null;
}

/** Port: the price book of the sources, append-only. */
export interface SourcePrices {
  /** Lists prices by source, oldest first. */
  list(): Promise<readonly SourcePrice[]>;
  /** Sets a price from now on. Earlier calls keep the price of their time. */
  set(price: Omit<SourcePrice, 'effectiveFrom'>): Promise<SourcePrice>;
}
