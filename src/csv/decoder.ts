/** Decoded chunk of text. */
export interface Decoded {
  /** UTF-8, up to the first invalid byte. */
  readonly text: Uint8Array;
  /** Positions in `text` at which a lone surrogate of UTF-16 was replaced by U+FFFD; ascending. */
  readonly loneSurrogates: readonly number[];
  /** Error of the bytes after `text`, or null. */
  readonly invalid: string | null;
}

/** Decoder of one encoding. It joins characters that are split between two chunks. */
export interface Decoder {
  readonly write: (bytes: Uint8Array) => Decoded;
  /** Ends the text: an incomplete character is invalid. */
  readonly end: () => Decoded;
}
