import { inflateRawSync } from 'node:zlib';

/** A file of a ZIP archive. */
export interface ZippedFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Two bytes of MS-DOS time and two of date. */
  readonly time: number;
}

/** Reads the files of a ZIP archive in the order of its central directory. */
export function readZip(archive: Buffer): readonly ZippedFile[] {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files: ZippedFile[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const local = archive.readUInt32LE(at + 42);
    const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(begin, begin + archive.readUInt32LE(at + 20));
    const isDeflated = archive.readUInt16LE(at + 10) === 8;
    files.push({
      name: archive.toString('utf8', at + 46, at + 46 + (name ?? 0)),
      bytes: isDeflated ? inflateRawSync(packed) : packed,
      time: archive.readUInt32LE(local + 10),
    });
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}
