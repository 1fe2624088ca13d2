import { crc32, deflateRawSync } from 'node:zlib';

/** File of an archive that a test builds. */
export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Compression method in the headers. Default: 8, deflate; 0 stores the content. Others are not applied. */
  readonly method?: number;
  /** Marks the file as encrypted. */
  readonly isEncrypted?: boolean;
  /** Checksum in the headers, instead of the right one. */
  readonly checksum?: number;
  /** Decompressed size in the headers, instead of the right one. */
  readonly size?: number;
}

/** Builds a ZIP archive (APPNOTE.TXT §4.3). With `zip64`, sizes and offsets are in the fields for large archives. */
export function buildZip(parts: readonly ZipPart[], { zip64 = false } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const content = Buffer.from(part.content);
    const method = part.method ?? 8;
    const data = method === 0 ? content : deflateRawSync(content);
    const sizes = {
      checksum: part.checksum ?? crc32(content),
      compressed: data.length,
      size: part.size ?? content.length,
    };
    const name = Buffer.from(part.name);
    const flags = 0x0800 | (part.isEncrypted === true ? 1 : 0);
    const local = Buffer.concat([header(0x04034b50, flags, method, sizes, name.length, 0), name, data]);
    locals.push(local);
    directory.push(directoryEntry(name, flags, method, sizes, offset, zip64));
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([...locals, entries, ...ending(parts.length, entries.length, offset, zip64)]);
}

interface Sizes {
  readonly checksum: number;
  readonly compressed: number;
  readonly size: number;
}

const full = 0xffffffff;

function header(
  signature: number,
  flags: number,
  method: number,
  { checksum, compressed, size }: Sizes,
  nameLength: number,
  extraLength: number,
): Buffer {
  const isCentral = signature === 0x02014b50;
  const buffer = Buffer.alloc(isCentral ? 46 : 30);
  let at = buffer.writeUInt32LE(signature, 0);
  if (isCentral) at = buffer.writeUInt16LE(45, at);
  at = buffer.writeUInt16LE(45, at);
  at = buffer.writeUInt16LE(flags, at);
  at = buffer.writeUInt16LE(method, at);
  at = buffer.writeUInt32LE(0x5a8e0000, at);
  at = buffer.writeUInt32LE(checksum, at);
  at = buffer.writeUInt32LE(compressed, at);
  at = buffer.writeUInt32LE(size, at);
  at = buffer.writeUInt16LE(nameLength, at);
  buffer.writeUInt16LE(extraLength, at);
  return buffer;
}

function directoryEntry(
  name: Buffer,
  flags: number,
  method: number,
  sizes: Sizes,
  offset: number,
  zip64: boolean,
): Buffer {
  const extra = Buffer.alloc(zip64 ? 28 : 0);
  if (zip64) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(sizes.size), 4);
    extra.writeBigUInt64LE(BigInt(sizes.compressed), 12);
    extra.writeBigUInt64LE(BigInt(offset), 20);
  }
  const shown = zip64 ? { ...sizes, size: full, compressed: full } : sizes;
  const entry = header(0x02014b50, flags, method, shown, name.length, extra.length);
  entry.writeUInt32LE(zip64 ? full : offset, 42);
  return Buffer.concat([entry, name, extra]);
}

function ending(count: number, bytes: number, offset: number, zip64: boolean): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : count, 8);
  end.writeUInt16LE(zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(zip64 ? full : bytes, 12);
  end.writeUInt32LE(zip64 ? full : offset, 16);
  if (!zip64) return [end];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + bytes), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator, end];
}
