/** Place where a decoder replaced something. */
export interface Replaced {
  readonly position: number;
  readonly problem: string;
}

/** Decoded chunk of text. */
export interface Decoded {
  /** UTF-8, up to the first invalid byte. */
  readonly text: Uint8Array;
  /** Places in `text` where U+FFFD replaces something that has no character, in ascending order. */
  readonly replaced: readonly Replaced[];
  /** Error of the bytes after `text`, or null. */
  readonly invalid: string | null;
}

/** Decoder of one encoding. It joins characters that are split between two chunks. */
export interface Decoder {
  readonly write: (bytes: Uint8Array) => Decoded;
  /** Ends the text: an incomplete character is invalid. */
  readonly end: () => Decoded;
}
