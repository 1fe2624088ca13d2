/** What people are told: how it looks is up to where they read it. */
export interface Message {
  /** The news in one line. */
  readonly headline: string;
  /** More of it, a line each. */
  readonly fields: readonly { readonly label: string; readonly text: string }[];
  /** What to do about it. */
  readonly steps: readonly { readonly what: string; readonly command: string }[];
}
