/** Small blocks are done with before the garbage collector copies them: those of 2,000 rows cost a load a fifth more of its time. */
const blockRows = 256;
const blockCharsMin = 2_000_000;

/** Creates a collector of records into blocks. The first record is a block of its own. */
export function createBlocks<Item>() {
  let blocks: Item[][] = [];
  let block: Item[] = [];
  let blockChars = 0;
  // The first record, mostly the header, is a block of its own: its error is reported before later ones.
  let rowsMax = 1;

  function add(record: Item, chars: number): void {
    block.push(record);
    blockChars += chars;
    if (block.length === rowsMax || blockChars >= blockCharsMin) close();
  }

  function close(): void {
    blocks.push(block);
    block = [];
    blockChars = 0;
    rowsMax = blockRows;
  }

  function full(): readonly Item[][] {
    const taken = blocks;
    blocks = [];
    return taken;
  }

  function all(): readonly Item[][] {
    if (block.length > 0) close();
    return full();
  }

  return { add, full, all };
}
