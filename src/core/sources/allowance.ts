/** Rate limit that a source reports beside an answer; null: not reported. */
export interface Allowance {
  /** Requests in a window. */
  readonly limit: number | null;
  readonly windowMs: number | null;
  /** Requests left in the window. */
  readonly remaining: number | null;
  /** Milliseconds until the next window starts. */
  readonly resetMs: number | null;
}
