import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** Sends a file, as it lies there, through a `COPY … FROM STDIN`. */
export async function copyIn(client: pg.ClientBase, statement: string, path: string): Promise<void> {
  await pipeline(createReadStream(path), client.query(copyFrom(statement)));
}

/** Writes what a `COPY … TO STDOUT` gives into a file and forces it to the disk, as an export does. */
export async function copyOut(client: pg.ClientBase, statement: string, path: string): Promise<void> {
  await pipeline(client.query(copyTo(statement)), createWriteStream(path, { flush: true }));
}
