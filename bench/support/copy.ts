import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** Sends an unchanged file through a `COPY … FROM STDIN`. */
export async function copyIn(client: pg.ClientBase, statement: string, path: string): Promise<void> {
  await pipeline(createReadStream(path), client.query(copyFrom(statement)));
}

/** Writes the output of a `COPY … TO STDOUT` to a file and syncs it to disk, like an export. */
export async function copyOut(client: pg.ClientBase, statement: string, path: string): Promise<void> {
  await pipeline(client.query(copyTo(statement)), createWriteStream(path, { flush: true }));
}
