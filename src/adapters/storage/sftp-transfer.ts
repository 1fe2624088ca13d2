import type { FileEntry } from 'ssh2';
import { Conflict, StorageRejected } from '../../core/errors.ts';
import type { SftpSession } from './sftp-session.ts';

/** Every server accepts pieces of this size (draft-ietf-secsh-filexfer-02, section 3). */
const pieceBytes = 32 * 1024;
/** Pieces under way: one at a time would wait for the line after each. */
const piecesMax = 32;
/** Our choice: a server could list a folder without an end. */
const folderEntriesMax = 250_000;

/** Reads an open file, in order. @throws Conflict when it is shorter than stated. */
export async function* readPieces(
  session: SftpSession,
  handle: Buffer,
  bytes: number,
): AsyncGenerator<Buffer, undefined> {
  const pending: Promise<Buffer>[] = [];
  let position = 0;
  const fill = () => {
    for (; pending.length < piecesMax && position < bytes; position += pieceBytes) {
      const piece = readPiece(session, handle, { position, bytes: Math.min(pieceBytes, bytes - position) });
      // A reader that stops awaits none of them.
      piece.catch(() => {});
      pending.push(piece);
    }
  };
  fill();
  for (let piece = pending.shift(); piece !== undefined; piece = pending.shift()) {
    const content = await piece;
    fill();
    yield content;
  }
}

async function readPiece(
  session: SftpSession,
  handle: Buffer,
  { position, bytes }: { readonly position: number; readonly bytes: number },
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const count = await session.call<number>((sftp, done) =>
      sftp.read(handle, buffer, filled, bytes - filled, position + filled, done),
    );
    if (count === 0) throw new Conflict('The file has become shorter while it was read. List it again.');
    filled += count;
  }
  return buffer;
}

/** Writes to an open file. Calls `moved` when the server has accepted a piece. */
export async function writePieces(
  session: SftpSession,
  handle: Buffer,
  { source, moved }: { readonly source: AsyncIterable<Buffer>; readonly moved: () => void },
): Promise<void> {
  const pending: Promise<void>[] = [];
  let position = 0;
  const write = (piece: Buffer, at: number) =>
    session.call<void>((sftp, done) =>
      sftp.write(handle, piece, 0, piece.length, at, (error) => done(error, undefined)),
    );
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes);
      const writing = write(piece, position).then(moved);
      writing.catch(() => {});
      pending.push(writing);
      position += piece.length;
      if (pending.length >= piecesMax) await pending.shift();
    }
  }
  await Promise.all(pending);
}

/** Reads the entries of an open folder. Calls `moved` with each answer. @throws StorageRejected when there are more than a million. */
export async function readEntries(
  session: SftpSession,
  handle: Buffer,
  moved: () => void,
): Promise<readonly FileEntry[]> {
  const entries: FileEntry[] = [];
  for (;;) {
    const more = await session.call<readonly FileEntry[] | null>((sftp, done) =>
      sftp.readdir(handle, (error, list) => (isEnd(error) ? done(null, null) : done(error, list))),
    );
    if (more === null) return entries;
    moved();
    for (const entry of more) entries.push(entry);
    if (entries.length > folderEntriesMax) {
      throw new StorageRejected(`A folder has more than ${folderEntriesMax} entries. Use one with fewer.`);
    }
  }
}

/** SSH_FX_EOF. */
function isEnd(error: Error | undefined): boolean {
  return error !== undefined && 'code' in error && error.code === 1;
}
