/** What a source says of the pace it allows, beside an answer. Null: it does not say. */
export interface Allowance {
  /** Requests in a window. */
  readonly limit: number | null;
  readonly windowMs: number | null;
  /** Requests left in the window. */
  readonly remaining: number | null;
  /** Until the window begins anew. */
  readonly resetMs: number | null;
}
