/** What the calls to one source have cost there, in one kind of money. Amounts are exact decimal text. */
export interface BillLine {
  readonly source: string;
  /** Null: the source has no price in the book, and does not say what it charges. */
  readonly currency: string | null;
  /** Calls that cost something, or may have. */
  readonly calls: number;
  /** By the price book of the source. */
  readonly expected: string;
  /** What the source said it charged, and what the price book says of the same calls; null where it says nothing of any. */
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
  /** Of calls of the last so many milliseconds; null: of all. One line for each source and kind of money. */
  read(ageMsMax: number | null): Promise<readonly BillLine[]>;
  /** The newest calls that drift, at most so many. */
  listDrifting(ageMsMax: number | null, limit: number): Promise<readonly DriftingCall[]>;
}

/** What a unit costs at a source, in its own money, from a moment on. */
export interface SourcePrice {
  readonly source: string;
  /** Exact decimal text. */
  readonly amount: string;
  /** Its money: `USD`, `credits`, `searches`. */
  readonly currency: string;
  /** What a unit is, in words. */
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
