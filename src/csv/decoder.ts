/** Decoded piece of text. */
export interface Decoded {
  /** UTF-8, up to the first invalid byte. */
  readonly text: Uint8Array;
  /** Positions in `text` at which a lone surrogate of UTF-16 was replaced by U+FFFD; ascending. */
  readonly loneSurrogates: readonly number[];
  /** Error of the bytes after `text`, or null. */
  readonly invalid: string | null;
}

/** One encoding. Characters cut by the border of two pieces are put together again. */
export interface Decoder {
  readonly write: (bytes: Uint8Array) => Decoded;
  /** The text is over: a character only begun is invalid. */
  readonly end: () => Decoded;
}
