/** A value as it leaves the database: what JSON can say exactly as itself, all else in Postgres' own words. */
export type QueryValue = string | number | boolean | null | object;

export interface QueryColumn {
  readonly name: string;
  /** As Postgres calls it: `text`, `timestamp with time zone`. */
  readonly type: string;
}

/** Answer of a query: its columns, and its rows as arrays in that order. */
export interface QueryAnswer {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly QueryValue[])[];
  /** There were more rows than were asked for. */
  readonly isCutOff: boolean;
  readonly elapsedMs: number;
}

export interface QueryRequest {
  /** One statement. */
  readonly text: string;
  readonly rowsMax: number;
  /** Aborts when nobody waits for the answer any more; the statement is ended then. */
  readonly signal: AbortSignal;
  /**
   * Called with the end of the server process that runs the statement. It may come later than the answer, or than the error of a
   * statement that was given up; until then it takes up room on the server. Never rejects.
   */
  readonly onBackend?: (gone: Promise<void>) => void;
}

/** Server processes of queries that did not end by themselves once nobody waited for them, since this process began. */
export interface BackendCounts {
  readonly canceled: number;
  readonly terminated: number;
  /** Number of terminated backends that still run. */
  readonly outliving: number;
}

/** A view that queries read, or a function that is read like one. */
export interface QueryView {
  readonly name: string;
  /** Parameters of a function, such as `day date, known_at timestamp with time zone DEFAULT now()`; null for a view. */
  readonly parameters: string | null;
  readonly comment: string | null;
  readonly columns: readonly (QueryColumn & { readonly comment: string | null })[];
}

/** Port: an account's own SQL. Whatever a statement says, it sees the account's own rows and changes nothing. */
export interface AccountQueries {
  /**
   * Runs one statement. It has a time, a number of rows and an amount of bytes that it may take.
   *
   * @throws ValidationError with Postgres' own words when it refuses the statement; that names the limit when the statement meets one, of
   *   time, memory, temporary files or the size of its answer; and for XML and EXPLAIN. Misconfigured where
   *   there is no login that may only do this; DatabaseUnavailable.
   */
  run(accountId: number, request: QueryRequest): Promise<QueryAnswer>;
  /** Checks that queries can run. @throws Misconfigured | DatabaseUnavailable */
  check(): Promise<void>;
  /** Never fails: nothing is asked. */
  countBackends(): BackendCounts;
  listViews(): Promise<readonly QueryView[]>;
}
