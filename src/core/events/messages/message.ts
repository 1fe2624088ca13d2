/** Message for people; each channel renders it. */
export interface Message {
  /** The news in one line. */
  readonly headline: string;
  /** More of it, a line each. */
  readonly fields: readonly { readonly label: string; readonly text: string }[];
  /** Steps to take. */
  readonly steps: readonly { readonly what: string; readonly command: string }[];
}
