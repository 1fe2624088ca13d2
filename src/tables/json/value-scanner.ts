const lineFeed = 0x0a;
const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Scanner that finds the end of a JSON value in chunks of bytes, by brackets and strings alone. */
export interface ValueScanner {
  /** Starts a value at its first byte. */
  readonly start: (byte: number) => void;
  /** Scans a chunk; returns the position after the value, or -1 when it goes on in the next chunk. */
  readonly scan: (chunk: Buffer, from: number) => number;
  /** Returns the number of line feeds since the last call. */
  readonly takeLines: () => number;
}

/** Creates a scanner. */
export function createValueScanner(): ValueScanner {
  let isScalar = false;
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  let lines = 0;

  function start(byte: number): void {
    isScalar = byte !== openBrace && byte !== openBracket;
    depth = 0;
    isInString = false;
  }

  function scan(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (isScalar && !isInString && isAfterScalar(byte)) return at;
      if (byte === lineFeed) lines += 1;
      if (isInString) scanInString(byte);
      else if (byte === quote) isInString = true;
      else if (byte === openBrace || byte === openBracket) depth += 1;
      else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 0) return at + 1;
      }
    }
    return -1;
  }

  function scanInString(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) isEscaped = true;
    else if (byte === quote) isInString = false;
  }

  function takeLines(): number {
    const taken = lines;
    lines = 0;
    return taken;
  }

  return { start, scan, takeLines };
}

function isAfterScalar(byte: number): boolean {
  return byte === comma || byte === closeBracket || byte <= 0x20;
}
