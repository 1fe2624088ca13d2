/** A value of a result: a JSON value if JSON can represent it exactly, otherwise Postgres' text. */
export type QueryValue = string | number | boolean | null | object;

export interface QueryColumn {
  readonly name: string;
  /** Name of the type in Postgres: `text`, `timestamp with time zone`. */
  readonly type: string;
}

/** Result of a query: its columns, and its rows as arrays in that order. */
export interface QueryAnswer {
  readonly columns: readonly QueryColumn[];
  readonly rows: readonly (readonly QueryValue[])[];
  /** True when there were more rows than requested. */
  readonly isCutOff: boolean;
  readonly elapsedMs: number;
}

export interface QueryRequest {
  /** One statement. */
  readonly text: string;
  readonly rowsMax: number;
  /** Aborts when no caller waits any more; the statement is then cancelled. */
  readonly signal: AbortSignal;
  /**
   * Called with the end of the server process that runs the statement. The process may end after the result, or after the error
   * of an aborted statement; until then it uses resources of the server. Never rejects.
   */
  readonly onBackend?: (gone: Promise<void>) => void;
}

/** Server processes of abandoned queries that did not end by themselves, since this process started. */
export interface BackendCounts {
  readonly canceled: number;
  readonly terminated: number;
  /** Number of terminated backends that still run. */
  readonly outliving: number;
}

/** A view for queries, or a function that is read like one. */
export interface QueryView {
  readonly name: string;
  /** Parameters of a function, such as `day date, known_at timestamp with time zone DEFAULT now()`; null for a view. */
  readonly parameters: string | null;
  readonly comment: string | null;
  readonly columns: readonly (QueryColumn & { readonly comment: string | null })[];
}

/** Port: SQL of an account. Every statement sees only the rows of the account and changes nothing. */
export interface AccountQueries {
  /**
   * Runs one statement, with limits of time, rows and bytes.
   *
   * @throws ValidationError with Postgres' message when it rejects the statement; with the name of the limit when the statement
   * exceeds its time, memory, temporary files or result size; and for XML and EXPLAIN. Misconfigured when the restricted login
   * is missing; DatabaseUnavailable.
   */
  run(accountId: number, request: QueryRequest): Promise<QueryAnswer>;
  /** Checks that queries can run. @throws Misconfigured | DatabaseUnavailable */
  check(): Promise<void>;
  /** Never fails: it makes no call. */
  countBackends(): BackendCounts;
  listViews(): Promise<readonly QueryView[]>;
}
