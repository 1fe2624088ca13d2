import { z } from '@hono/zod-openapi';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { operations } from '../../../core/credits/price-book.ts';
import {
  afterPolicies,
  formatSettle,
  inboxFileStates,
  type Inbox,
  type InboxFile,
} from '../../../core/inboxes/inbox.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';
import { formatLocation, locationKinds } from '../../../core/storage/location.ts';
import { formatAge } from '../../../core/time/parse-age.ts';
import { nextCursor, pageQuery } from '../../http/pages.ts';
import { inHttpTerms } from '../../upload/to-http-error.ts';

const count = z.int().min(0);

/** Body of an inbox. */
export const inboxBody = z
  .object({
    id: z.string().openapi({ example: 'inb_01a1ff734ad87655b2c761ba36458456' }),
    name: z.string(),
    location: z.string().openapi({ description: 'Address without secrets; the query of a URL is left out.' }),
    kind: z.enum(locationKinds),
    host_key: z.string().nullable().openapi({
      description: 'Key of the SFTP server. Null until the first connection, and for other kinds.',
    }),
    has_credentials: z.boolean().openapi({ description: 'True when secrets are stored for the location.' }),
    cron: z.string(),
    description: z.string().openapi({ description: 'The cron pattern as text.' }),
    time_zone: z.string(),
    state: z.enum(['active', 'paused']),
    next_at: z.iso.datetime().nullable().openapi({
      description:
        'Time of the next look, which is before the next time of the pattern while files wait. Null while the inbox is paused.',
    }),
    pattern: z.string().nullable(),
    settle: z.string().openapi({ example: '10s' }),
    after: z.enum(afterPolicies),
    query: z.string().nullable(),
    newer_by: z.string().nullable(),
    map: z.record(z.string(), z.string()).nullable(),
    operations: z.array(z.enum(operations)).nullable(),
    sources: z.array(z.string()),
    region: z.string().nullable(),
    max_ads: z.int().nullable(),
    own_only: z.boolean(),
    max_age: z.string().nullable(),
    max_credits: z
      .number()
      .nullable()
      .openapi({ description: 'Maximum cost of each batch, in credits. Null without a bound.' }),
    again: z.boolean(),
    files: z
      .object({
        waiting: count,
        ready: count,
        loading: count,
        loaded: count,
        joined: count,
        failed: count,
        ignored: count,
      })
      .openapi({ description: 'Number of files by state. 10,000 stands for 10,000 and more.' }),
    looked_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Time at which the last look ended without an error. Null before.' }),
    failing_since: z.iso.datetime().nullable().openapi({
      description: 'Time of the first failed look since then. Null after a look without an error.',
    }),
    last_error: z.string().nullable().openapi({ description: 'Error of the last look. Null without one.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('Inbox');

export function toInboxBody(inbox: Inbox): z.infer<typeof inboxBody> {
  const { location, search, maxCreditsMicro } = inbox;
  return {
    id: inbox.publicId,
    name: inbox.name,
    location: formatLocation(location),
    kind: location.kind,
    host_key: location.kind === 'sftp' ? location.hostKey : null,
    has_credentials: inbox.hasCredentials,
    cron: inbox.cron,
    description: describeCron(parseCron(inbox.cron, 'cron')),
    time_zone: inbox.timeZone,
    state: inbox.state,
    next_at: inbox.nextAt?.toISOString() ?? null,
    pattern: inbox.pattern,
    settle: formatSettle(inbox.settleMs),
    after: inbox.after,
    query: inbox.query,
    newer_by: inbox.newerBy,
    map: inbox.fileOptions.map === undefined ? null : { ...inbox.fileOptions.map },
    operations: inbox.operations === null ? null : [...inbox.operations],
    sources: [...inbox.sources],
    region: search.region,
    max_ads: search.adsMax,
    own_only: search.ownOnly,
    max_age: search.ageMsMax === null ? null : formatAge(search.ageMsMax),
    max_credits: maxCreditsMicro === null ? null : creditsNumber(maxCreditsMicro),
    again: inbox.again,
    files: { ...inbox.files },
    looked_at: inbox.lookedAt?.toISOString() ?? null,
    failing_since: inbox.failingSince?.toISOString() ?? null,
    last_error: inbox.lastError,
    created_at: inbox.createdAt.toISOString(),
  };
}

export const inboxListBody = z.object({ inboxes: z.array(inboxBody), next: nextCursor }).openapi('InboxList');

/** Body of a file of an inbox. */
export const inboxFileBody = z
  .object({
    id: z.string().openapi({ example: 'inf_01a1ff734ad87655b2c761ba36458456' }),
    path: z.string().openapi({ description: 'Path at which the file arrived, below the location.' }),
    state: z.enum(inboxFileStates).openapi({
      description:
        'State of the file. `waiting`: it may still be written. `loaded`: it became a batch. `joined`: a batch had its content already. `ignored`: it was gone. `loaded`, `joined`, `failed` and `ignored` are final.',
    }),
    reason: z.string().nullable().openapi({
      description: 'Reason of a failed or ignored file, or why a ready one waits. Null without one.',
    }),
    batch: z.string().nullable().openapi({ description: 'Id of the batch. Null without one.' }),
    place: z
      .string()
      .nullable()
      .openapi({ description: 'Path at which the file is now. Null once it was deleted.' }),
    bytes: z.int().min(0),
    content_sha256: z
      .string()
      .nullable()
      .openapi({ description: 'SHA-256 of its bytes, in hexadecimal. Null until it was read.' }),
    modified_at: z.iso.datetime().nullable(),
    first_seen_at: z.iso.datetime(),
    settled_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: 'Time at which it reached a final state. Null before.' }),
  })
  .openapi('InboxFile');

export function toInboxFileBody(file: InboxFile): z.infer<typeof inboxFileBody> {
  return {
    id: file.publicId,
    path: file.path,
    state: file.state,
    reason: file.reason === null ? null : inHttpTerms(file.reason),
    batch: file.batch,
    place: file.place,
    bytes: file.bytes,
    content_sha256: file.contentSha256,
    modified_at: file.modifiedAt?.toISOString() ?? null,
    first_seen_at: file.firstSeenAt.toISOString(),
    settled_at: file.settledAt?.toISOString() ?? null,
  };
}

export const inboxFileListBody = z
  .object({ files: z.array(inboxFileBody), next: nextCursor })
  .openapi('InboxFileList');

export const inboxId = z.object({
  id: z.string().openapi({
    param: { name: 'id', in: 'path', description: 'Id or name of the inbox.' },
    example: 'inb_01a1ff734ad87655b2c761ba36458456',
  }),
});

/** Path parameters of a file of an inbox. */
export const inboxFileId = inboxId.extend({
  file: z.string().openapi({
    param: { name: 'file', in: 'path', description: 'Id of the file.' },
    example: 'inf_01a1ff734ad87655b2c761ba36458456',
  }),
});

/** Query parameters of the files of an inbox. */
export const filesQuery = z.strictObject({
  ...pageQuery(100, 20),
  state: z.enum(inboxFileStates).optional().openapi({ description: 'Only files in this state.' }),
});
