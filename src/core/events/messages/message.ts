/** Message for people; each channel renders it. */
export interface Message {
  /** Summary in one line. */
  readonly headline: string;
  /** Details, one line each. */
  readonly fields: readonly { readonly label: string; readonly text: string }[];
  /** Steps to take. */
  readonly steps: readonly { readonly what: string; readonly command: string }[];
}
