import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

/** File of the console, ready to send. */
export interface ConsoleFile {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** True when the name changes with the content. */
  readonly isImmutable: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json',
};

/** Reads the files of the built console into memory, by path. Empty without a build. */
export function readConsoleFiles(folder: string): ReadonlyMap<string, ConsoleFile> {
  return new Map(
    listFiles(folder).flatMap((path) => {
      const type = types[extname(path)];
      return type === undefined
        ? []
        : [[`/${path.split(sep).join('/')}`, readFile(join(folder, path), type)] as const];
    }),
  );
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function readFile(path: string, type: string): ConsoleFile {
  return { ...toFile(type, readFileSync(path)), isImmutable: path.includes(`${sep}assets${sep}`) };
}

/** Creates a file from content, compressed and with an ETag. */
export function toFile(type: string, content: string | Buffer): ConsoleFile {
  const bytes = Buffer.from(content);
  return {
    type,
    bytes: new Uint8Array(bytes),
    gzipped: new Uint8Array(gzipSync(bytes, { level: 9 })),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
    isImmutable: false,
  };
}
