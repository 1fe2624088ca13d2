/** Position of a query: the greatest value of its column, as Postgres writes it, and the rows at that value that are loaded. */
export interface QueryCursor {
  readonly value: string;
  /** Digests of the rows at the value, in base64. */
  readonly rows: readonly string[];
}

/** Maximum number of rows at the greatest value. */
export const cursorRowsMax = 10_000;
