import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { standardInboxTerms, type Inbox, type InboxTerms } from '../../../src/core/inboxes/inbox.ts';
import type { Credentials } from '../../../src/core/storage/credentials.ts';
import { createLog } from '../../../src/log.ts';
import type { Environment } from '../cli/nightshift-process.ts';
import { temporaryFolder } from '../faults/loaded-batch.ts';
import { openOnPostgres, type OpenedBackend } from '../queue/backends.ts';
import { listFindings } from '../db/findings.ts';

/** Unused address; no source is called, because no worker runs in these tests. */
const upstream = {
  NIGHTSHIFT_UPSTREAM_URL: 'http://127.0.0.1:9/v1/ads/search',
  NIGHTSHIFT_UPSTREAM_KEY: 'ns_live_test',
};

export interface TestInboxesOptions {
  readonly settings?: Environment;
  readonly opened?: OpenedBackend;
}

/** Runs the product in this process without a worker: tests trigger looks themselves. */
export async function openTestInboxes({ settings = {}, opened }: TestInboxesOptions = {}) {
  const { database, environment } = opened ?? (await openOnPostgres());
  const config = readConfig({ ...environment, ...upstream, ...settings });
  const app = await openApp(config, { log: createLog('silent'), onProgress: () => undefined });
  onTestFinished(() => app.close());
  const {
    accounts: { defaultId: accountId },
  } = app;
  const owner = database.owner.sql;
  const folder = temporaryFolder();

  /** Writes a file of the folder. */
  function write(path: string, content: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }

  const terms: InboxTerms = {
    ...standardInboxTerms,
    name: 'lists',
    location: { kind: 'folder', path: folder },
    timeZone: 'UTC',
    settleMs: 0,
    sources: ['upstream'],
  };

  async function add(
    changes: Partial<InboxTerms> = {},
    credentials: Credentials | null = null,
  ): Promise<Inbox> {
    return app.inboxes.store.add(accountId, { ...terms, ...changes }, { credentials, isOperators: true });
  }

  /** Makes an inbox due and looks into it. */
  async function look(name = 'lists', signal = new AbortController().signal): Promise<Inbox> {
    const { publicId } = await app.inboxes.store.pollNow(accountId, name);
    await app.inboxes.poll(publicId, signal);
    return app.inboxes.store.read(accountId, name);
  }

  /** Lists the files of an inbox as `path: state`, in the order of their paths. */
  async function states(name = 'lists'): Promise<readonly string[]> {
    const files = await app.inboxes.store.listFiles(accountId, name, { limit: 1000 });
    return files.map(({ path, state }) => `${path}: ${state}`).sort();
  }

  /** Backdates the last change of all waiting files. */
  async function passTime(seconds: number): Promise<void> {
    await owner.execute(
      sql`UPDATE nightshift.inbox_files SET unchanged_since = unchanged_since - ${seconds} * interval '1 second'`,
    );
  }

  async function events(event: string) {
    const { rows } = await owner.execute<{ subject: string; payload: Readonly<Record<string, unknown>> }>(
      sql`SELECT subject, payload FROM nightshift.events WHERE event = ${event} ORDER BY id`,
    );
    return rows.map(({ payload }) => payload);
  }

  return {
    ...{ app, database, accountId, folder, config },
    ...{ write, add, look, states, passTime, events },
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    /** Paths of all files in the folder, in their order. */
    paths: () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort(),
    files: (name = 'lists') => app.inboxes.store.listFiles(accountId, name, { limit: 1000 }),
    batches: () => app.batches.store.listSummaries(accountId, 1000),
    findings: () => listFindings(database),
  };
}
export type TestInboxes = Awaited<ReturnType<typeof openTestInboxes>>;

/** A small list whose content is unique to `name`. */
export function listOf(name: string): string {
  return `domain\n${name}-a.com\n${name}-b.com\n`;
}
