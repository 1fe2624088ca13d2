/** Cost of the calls to one source, in one currency. Amounts are exact decimal text. */
export interface BillLine {
  readonly source: string;
  /** Null: the source has no price in the book, and does not say what it charges. */
  readonly currency: string | null;
  /** Calls that cost something, or may have. */
  readonly calls: number;
  /** By the price book of the source. */
  readonly expected: string;
  /** Charge that the source reported, and the price book's amount for the same calls; null: not reported. */
  readonly charged: string | null;
  readonly chargedExpected: string;
  /** Calls whose answer never came or cannot be read, and what they cost at most. */
  readonly callsInDoubt: number;
  readonly inDoubt: string;
}

/** A call for which the source charged something else than its price book says. */
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
  /** Reads the cost of calls of the last so many milliseconds; null: of all. One line per source and currency. */
  read(ageMsMax: number | null): Promise<readonly BillLine[]>;
  /** The newest calls that drift, at most so many. */
  listDrifting(ageMsMax: number | null, limit: number): Promise<readonly DriftingCall[]>;
}

/** Price of a unit at a source, in its own currency, from a moment on. */
export interface SourcePrice {
  readonly source: string;
  /** Exact decimal text. */
  readonly amount: string;
  /** Its money: `USD`, `credits`, `searches`. */
  readonly currency: string;
  /** Description of a unit. */
  readonly unit: string;
  readonly effectiveFrom: Date;
  readonly note: string | null;
}

/** Port: the price book of the sources, append-only. */
export interface SourcePrices {
  /** By source, the oldest first. */
  list(): Promise<readonly SourcePrice[]>;
  /** From now on. Calls that were made before keep the price of their time. */
  set(price: Omit<SourcePrice, 'effectiveFrom'>): Promise<SourcePrice>;
}
