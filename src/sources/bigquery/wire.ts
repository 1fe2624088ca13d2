import { z } from 'zod';
import type { SourceUnreadable } from '../../core/errors.ts';
import { readReply, unreadableAt } from '../replies/wire-fields.ts';

/** 64-bit numbers are strings of digits on the wire. */
const int64 = z.string().regex(/^\d+$/, 'expected a string of digits').transform(BigInt);
/** A number that is small enough for a JavaScript number: milliseconds, rows. */
const count = int64.transform(Number);

/** Error of BigQuery: `reason` is the stable code, `message` is for people (its error table). */
const wireError = z.object({ reason: z.string(), message: z.string().default('') });
export type WireError = z.infer<typeof wireError>;

/** Body of a non-2xx answer. */
export const errorReply = z.object({ error: z.object({ errors: z.array(wireError).min(1) }) });

/** A job, as `jobs.insert` and `jobs.get` return it. */
export const jobReply = z.object({
  status: z.object({ state: z.string(), errorResult: wireError.optional() }),
  statistics: z
    .object({
      totalBytesProcessed: int64.optional(),
      /** Milliseconds since 1970. */
      endTime: count.optional(),
      query: z.object({ totalBytesBilled: int64.optional() }).optional(),
    })
    .default({}),
});
export type WireJob = z.infer<typeof jobReply>;

/** One column of a table or of a result. `mode` is absent for `NULLABLE`. */
export interface WireField {
  readonly name: string;
  readonly type: string;
  readonly mode?: string | undefined;
  readonly fields?: readonly WireField[] | undefined;
}
const wireField: z.ZodType<WireField> = z.object({
  name: z.string(),
  type: z.string(),
  mode: z.string().optional(),
  get fields() {
    return z.array(wireField).optional();
  },
});
const wireSchema = z.object({ fields: z.array(wireField) });

/** `tables.get` with `fields=schema`. */
export const tableReply = z.object({ schema: wireSchema });

/** One page of `jobs.getQueryResults`; a running job has neither schema nor rows. */
export const resultsReply = z.discriminatedUnion('jobComplete', [
  z.object({ jobComplete: z.literal(false) }),
  z.object({
    jobComplete: z.literal(true),
    schema: wireSchema,
    totalRows: count,
    /** Absent without rows. */
    rows: z.array(z.unknown()).default([]),
    pageToken: z.string().optional(),
  }),
]);
export type WirePage = Extract<z.infer<typeof resultsReply>, { jobComplete: true }>;

/** Form that exchanges a signed assertion for an access token (RFC 7523 §2.1). */
export function tokenForm(assertion: string): Readonly<Record<string, string>> {
  return { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
}

/** Answer of an OAuth token endpoint (RFC 6749 §5.1); `expires_in` is in seconds. */
export const tokenReply = z
  .object({ access_token: z.string().min(1), expires_in: z.number().positive() })
  .transform(({ access_token, expires_in }) => ({ token: access_token, lifetimeMs: expires_in * 1000 }));

/** Key file of a service account, as Google issues it. Other fields are ignored. */
export const keyFile = z
  .object({
    type: z.literal('service_account'),
    client_email: z.string().min(1),
    private_key: z.string().min(1),
    private_key_id: z.string().optional(),
    token_uri: z.url({ protocol: /^https?$/ }).default('https://oauth2.googleapis.com/token'),
  })
  .transform((file) => ({
    email: file.client_email,
    privateKey: file.private_key,
    keyId: file.private_key_id,
    tokenUrl: file.token_uri,
  }));

/**
 * Parses one reply.
 *
 * @throws SourceUnreadable that names the path of the first invalid field, such as `rows[3].f`.
 */
export function parseReply<Reply>(schema: z.ZodType<Reply>, text: string): Reply {
  return readReply('bigquery', schema, text);
}

/** Error of a reply that does not have the agreed form at `path`. */
export function unreadable(path: string, what: string, cause?: unknown): SourceUnreadable {
  return unreadableAt('bigquery', path, what, cause);
}
