import { z } from '@hono/zod-openapi';
import { parseCredentials, type Credentials } from '../../../core/storage/credentials.ts';
import {
  addressCharsMax,
  parseLocation,
  type Location,
  type LocationKind,
} from '../../../core/storage/location.ts';
import { text } from '../../http/text.ts';

/** Address of a location, without secrets. */
export const addressField = text().min(1).max(addressCharsMax);

/** Secrets of a location. */
export const credentialsField = z.record(text(), text()).openapi({
  description:
    'Secrets of the location, which no response contains. S3: `access_key_id`, `secret_access_key`, `session_token`. SFTP: `password`, or `private_key` and `passphrase`. HTTPS: `token`. Postgres: `password`.',
  example: { access_key_id: '…', secret_access_key: '…' },
  writeOnly: true,
});

/** Parts of a location that are not in its address. */
export const locationFields = {
  endpoint: text()
    .max(addressCharsMax)
    .optional()
    .openapi({ description: 'S3: origin of the service. Default: that of Amazon.' }),
  s3_region: text().max(40).optional().openapi({ description: 'S3: region. Default: `us-east-1`.' }),
  host_key: text().max(100).optional().openapi({
    description:
      'SFTP: key of the server as `ssh-keygen -l` shows it, `SHA256:…`. Default: that of the first connection.',
  }),
};

/** Fields of a place besides its address. */
export const placeFields = { ...locationFields, credentials: credentialsField.optional() };

interface LocationFields {
  readonly endpoint?: string | undefined;
  readonly s3_region?: string | undefined;
  readonly host_key?: string | undefined;
}

/** Parses the location of a request. @throws ValidationError */
export function locationOf(
  address: string,
  { endpoint, s3_region: region, host_key: hostKey }: LocationFields,
): Location {
  return parseLocation(address, { endpoint, region, hostKey });
}

/** Parses the credentials of a request; null without any. @throws ValidationError */
export function credentialsOf(
  kind: LocationKind,
  { credentials }: { readonly credentials?: Readonly<Record<string, string>> | undefined },
): Credentials | null {
  return credentials === undefined ? null : parseCredentials(kind, credentials);
}
