import { z } from '@hono/zod-openapi';
import {
  destinationFormats,
  destinationLayouts,
  type Destination,
  type DestinationScope,
} from '../../../core/destinations/destination.ts';
import type { TestedDestination } from '../../../core/destinations/destination-service.ts';
import { landingStates, type Landing } from '../../../core/destinations/landing.ts';
import { formatLocation, locationKinds } from '../../../core/storage/location.ts';
import { nextCursor } from '../../http/pages.ts';
import { Problem } from '../../http/problem.ts';
import { text } from '../../http/text.ts';
import { addressField, credentialsField, placeFields } from '../fields/place.ts';

const count = z.int().min(0);
const moment = z.iso.datetime();
const shape = z.enum(['rows', 'ads', 'variants']);
const shapes = z.array(shape).min(1);
const exampleId = 'dst_01a1ff734ad87655b2c761ba36458456';

/** Body of a destination. */
export const destinationBody = z
  .object({
    id: z.string().openapi({ example: exampleId }),
    name: z.string(),
    location: z.string().openapi({ description: 'Folder or URL, without secrets.' }),
    kind: z.enum(locationKinds),
    host_key: z.string().nullable().openapi({ description: 'SFTP: key of the server. Otherwise null.' }),
    has_credentials: z
      .boolean()
      .openapi({ description: 'True if credentials are stored. No response contains them.' }),
    schedule_id: z.string().nullable().openapi({ description: 'Schedule whose batches it takes.' }),
    batch_id: z.string().nullable().openapi({
      description: 'Only batch that it takes. Null with `schedule_id` null: it takes all batches.',
    }),
    format: z
      .enum(destinationFormats)
      .openapi({ description: 'Format of files. `table`: a table in Postgres.' }),
    shapes: shapes.openapi({
      description: 'What lands of each batch: its rows, one line per ad, one per variant.',
    }),
    layout: z.enum(destinationLayouts).openapi({
      description: '`flat`: files in one folder. `partitioned`: folders by shape, day and batch.',
    }),
    gzip: z.boolean(),
    raw: z.boolean(),
    table: z.string().nullable(),
    key: z.array(z.string()).nullable(),
    state: z.enum(['active', 'disabled', 'removed']).openapi({
      description: '`disabled`: landings wait until the destination is enabled again.',
    }),
    reason: z
      .string()
      .nullable()
      .openapi({ description: 'Reason why it is disabled, or why the storage rejects it. Otherwise null.' }),
    pending: count.openapi({ description: 'Number of pending landings. 10,000 stands for 10,000 and more.' }),
    dead: count.openapi({
      description: 'Number of landings that Nightshift stopped trying. 10,000 stands for 10,000 and more.',
    }),
    last_landed_at: moment.nullable(),
    created_at: moment,
  })
  .openapi('Destination');

export const destinationListBody = z
  .object({ destinations: z.array(destinationBody) })
  .openapi('DestinationList');

const name = text().min(1).max(100);
/** Form of what lands. */
const form = {
  format: z
    .enum(destinationFormats)
    .optional()
    .openapi({ description: 'Default: `parquet`, and `table` for Postgres.' }),
  shapes: shapes.optional().openapi({ description: 'Default: `rows`.' }),
  layout: z
    .enum(destinationLayouts)
    .optional()
    .openapi({ description: 'Default: `partitioned` for Parquet, else `flat`.' }),
  gzip: z.boolean().optional().openapi({ description: '`true`: compress CSV, NDJSON and JSON.' }),
  raw: z
    .boolean()
    .optional()
    .openapi({ description: '`true`: keep cells of CSV unchanged, including formulas.' }),
  table: text().max(200).optional().openapi({ description: 'Postgres: table.', example: 'sales.companies' }),
  key: z.array(text().min(1).max(100)).nullable().optional().openapi({
    description: 'Postgres: columns that identify a row. Default: the rows of a batch are replaced.',
  }),
};

export const destinationRequest = z
  .strictObject({
    name: name.openapi({ description: 'Name of the destination, unique in the account.' }),
    location: addressField.openapi({
      description:
        'Folder (`/data/lake`), `s3://bucket/prefix`, `sftp://user@host/folder` or `postgres://user@host/database`, without a password.',
      example: 's3://results/nightshift',
    }),
    ...placeFields,
    schedule_id: text()
      .max(100)
      .optional()
      .openapi({ description: 'Take the batches of this schedule only.' }),
    batch_id: text().max(100).optional().openapi({ description: 'Take this batch only.' }),
    ...form,
  })
  .openapi('DestinationRequest');

export const destinationChangeRequest = z
  .strictObject({
    name: name.optional(),
    credentials: credentialsField.nullable().optional(),
    state: z.enum(['active', 'disabled']).optional(),
    ...form,
  })
  .openapi('DestinationChangeRequest');

export const landingBody = z
  .object({
    destination_id: z.string(),
    destination: z.string().openapi({ description: 'Name of the destination.' }),
    batch: z.string(),
    shape,
    revision: z.int().min(1).openapi({
      description: 'Number of the completion of the batch: a batch that was retried lands again.',
    }),
    content_key: z.string().openapi({
      description: 'Batch, shape and time of the completion. The same key means the same content.',
    }),
    state: z.enum(landingStates).openapi({
      description: 'State of the landing. A `dead` landing is not tried again unless it is replayed.',
    }),
    attempts: count,
    tried_at: moment.nullable(),
    next_at: moment.nullable().openapi({ description: 'Time of the next attempt. Null if there is none.' }),
    last_error: z.string().nullable(),
    landed_at: moment.nullable(),
    note: z.string().nullable(),
    rows: count.nullable().openapi({ description: 'Number of lines that landed. Null before.' }),
    bytes: count.nullable(),
    parts: count.nullable().openapi({ description: 'Number of files, without the manifest.' }),
    created_at: moment,
  })
  .openapi('Landing');

export const landingListBody = z
  .object({ landings: z.array(landingBody), next: nextCursor })
  .openapi('LandingList');

export const landingReplayRequest = z
  .strictObject({
    batch_id: text()
      .max(100)
      .optional()
      .openapi({ description: 'Land this batch again, even if it has landed.' }),
    dead: z.boolean().optional().openapi({ description: '`true`: land all dead landings again.' }),
    since: text().max(40).optional().openapi({
      description:
        'Land all batches of the last minutes, hours or days, such as `30m`, `12h`, `7d`, that have not landed.',
      example: '7d',
    }),
  })
  .openapi('LandingReplayRequest');
export type LandingReplayRequest = z.infer<typeof landingReplayRequest>;

export const landingReplayBody = z
  .object({ replayed: count.openapi({ description: 'Number of landings that are tried immediately.' }) })
  .openapi('LandingReplay');

export const testedDestinationBody = z
  .object({
    writable: z.boolean(),
    error: z.string().nullable().openapi({ description: 'Error of the storage. Null if it is writable.' }),
  })
  .openapi('TestedDestination');

export const destinationId = z.object({
  id: z.string().openapi({ param: { name: 'id', in: 'path' }, example: exampleId }),
});

interface ScopeFields {
  readonly schedule_id?: string | undefined;
  readonly batch_id?: string | undefined;
}

/** Scope of a request. @throws Problem when both fields are given */
export function scopeOf({ schedule_id: schedule, batch_id: batch }: ScopeFields): DestinationScope {
  if (schedule !== undefined && batch !== undefined) {
    throw new Problem('validation_error', { titles: ['schedule_id, batch_id: give at most one of them'] });
  }
  if (schedule !== undefined) return { kind: 'schedule', schedule };
  return batch === undefined ? { kind: 'account' } : { kind: 'batch', batch };
}

export function toDestinationBody(destination: Destination): z.infer<typeof destinationBody> {
  const { scope, options, location } = destination;
  return {
    id: destination.destinationId,
    name: destination.name,
    location: formatLocation(location),
    kind: location.kind,
    host_key: location.kind === 'sftp' ? location.hostKey : null,
    has_credentials: destination.hasCredentials,
    schedule_id: scope.kind === 'schedule' ? scope.schedule : null,
    batch_id: scope.kind === 'batch' ? scope.batch : null,
    format: destination.format,
    shapes: [...destination.shapes],
    layout: options.layout,
    gzip: options.gzip,
    raw: options.raw,
    table: options.table,
    key: options.key === null ? null : [...options.key],
    state: destination.state,
    reason: destination.stateReason,
    pending: destination.pending,
    dead: destination.dead,
    last_landed_at: destination.lastLandedAt?.toISOString() ?? null,
    created_at: destination.createdAt.toISOString(),
  };
}

export function toLandingBody(landing: Landing): z.infer<typeof landingBody> {
  return {
    destination_id: landing.destinationId,
    destination: landing.destination,
    batch: landing.batch,
    shape: landing.shape,
    revision: landing.revision,
    content_key: landing.contentKey,
    state: landing.state,
    attempts: landing.attempts,
    tried_at: landing.triedAt?.toISOString() ?? null,
    next_at: landing.nextAt?.toISOString() ?? null,
    last_error: landing.lastError,
    landed_at: landing.landedAt?.toISOString() ?? null,
    note: landing.note,
    rows: landing.rows,
    bytes: landing.bytes,
    parts: landing.parts,
    created_at: landing.createdAt.toISOString(),
  };
}

export function toTestedDestinationBody({ error }: TestedDestination): z.infer<typeof testedDestinationBody> {
  return { writable: error === null, error };
}
