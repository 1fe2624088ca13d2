import fc from 'fast-check';
import { writtenTables } from './written-tables.ts';

/** Parts that a CSV reader may trip over, put together at random. */
const scraps = fc.oneof(
  {
    weight: 60,
    arbitrary: fc
      .constantFrom(
        'a',
        'b',
        ',',
        ',',
        '\n',
        '\n',
        '\r',
        '\r\n',
        '""',
        '"x\n"',
        ',"',
        '",',
        'é',
        ';',
        '\t',
        '\0',
      )
      .map((part) => Buffer.from(part)),
  },
  { weight: 1, arbitrary: fc.nat(255).map((byte) => Buffer.from([byte])) },
);

const scrapFiles = fc
  .array(scraps, { maxLength: 60 })
  .map((parts) => Buffer.concat([Buffer.from('company,b\n'), ...parts]));

/** One thing that happens to a file; `at` and `length` are parts of its size, from 0 to 1. */
interface Damage {
  readonly kind: 'cut off' | 'taken out' | 'put in' | 'doubled';
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const inserts = fc.oneof(
  fc.constantFrom('"', '""', '","', '\n', '\r', '\0', 'sep=;\n', '\ufeff').map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 4 }),
);
const damages = fc.record<Damage>({
  kind: fc.constantFrom('cut off', 'taken out', 'put in', 'put in', 'doubled'),
  at: share,
  length: share,
  bytes: inserts,
});

const brokenTables = fc
  .tuple(writtenTables, fc.array(damages, { minLength: 1, maxLength: 4 }))
  .map(([{ content }, all]) => all.reduce(damage, content));

/** Files that somebody or something has spoilt: tables with damage, scraps of CSV, and bytes that were never text. */
export const damagedFiles: fc.Arbitrary<Buffer> = fc.oneof(
  { weight: 6, arbitrary: brokenTables },
  { weight: 3, arbitrary: scrapFiles },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
);

function damage(content: Buffer, { kind, at, length, bytes }: Damage): Buffer {
  const start = Math.floor(at * content.length);
  const end = start + Math.ceil(length * Math.min(50, content.length - start));
  if (kind === 'cut off') return content.subarray(0, start);
  const [before, middle, after] = [
    content.subarray(0, start),
    content.subarray(start, end),
    content.subarray(end),
  ];
  if (kind === 'taken out') return Buffer.concat([before, after]);
  return Buffer.concat([before, middle, kind === 'doubled' ? middle : bytes, after]);
}
