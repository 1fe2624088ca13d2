/** Compact list of texts: UTF-8 in large buffers instead of an object for each. */
export interface TextStore {
  readonly add: (text: string) => void;
  /** Returns the nth text, from 0; undefined beyond the end. */
  readonly get: (index: number) => string | undefined;
  readonly size: () => number;
  /** Size of all texts in bytes. */
  readonly bytes: () => number;
}

const blockBytes = 4 * 1024 * 1024;
/** Texts that are kept decoded: neighbouring rows often share them. A power of two. */
const cachedTexts = 4_096;

/** Creates an empty store. */
export function createTextStore(): TextStore {
  const blocks: Buffer[] = [];
  let block = Buffer.alloc(0);
  let filled = 0;
  let bytes = 0;
  let size = 0;
  /** Number of the block, start and end of each text. */
  let spans = new Uint32Array(3 * 1024);
  const cachedIndexes = new Int32Array(cachedTexts).fill(-1);
  const cached: string[] = [];

  function add(text: string): void {
    const needed = Buffer.byteLength(text);
    if (filled + needed > block.length) {
      block = Buffer.allocUnsafeSlow(Math.max(blockBytes, needed));
      blocks.push(block);
      filled = 0;
    }
    if (3 * (size + 1) > spans.length) {
      const longer = new Uint32Array(2 * spans.length);
      longer.set(spans);
      spans = longer;
    }
    block.write(text, filled);
    spans[3 * size] = blocks.length - 1;
    spans[3 * size + 1] = filled;
    filled += needed;
    spans[3 * size + 2] = filled;
    bytes += needed;
    size += 1;
  }

  function get(index: number): string | undefined {
    if (!(index >= 0 && index < size)) return undefined;
    const slot = index & (cachedTexts - 1);
    if (cachedIndexes[slot] === index) return cached[slot];
    const text = blocks[spans[3 * index] ?? 0]?.toString('utf8', spans[3 * index + 1], spans[3 * index + 2]);
    cachedIndexes[slot] = index;
    cached[slot] = text ?? '';
    return text;
  }

  return { add, get, size: () => size, bytes: () => bytes };
}
