import type { Body } from '../../api/client.ts';

/** Kind of a location. */
export type PlaceKind = Body<'Inbox'>['kind'];

/** Location in the fields of a form. Its secrets live as long as the form. */
export interface PlaceDraft {
  readonly kind: PlaceKind;
  readonly address: string;
  readonly endpoint: string;
  readonly region: string;
  readonly hostKey: string;
  /** Secrets by their names in the API; empty ones are not sent. */
  readonly secrets: Readonly<Record<string, string>>;
}

interface KindInfo {
  readonly name: string;
  readonly example: string;
  /** Names of the secrets in the API, with their labels. */
  readonly secrets: readonly (readonly [name: string, label: string])[];
}

/** Kinds of locations with their labels. */
export const placeKinds: Readonly<Record<PlaceKind, KindInfo>> = {
  folder: { name: 'Folder of the server', example: '/data/lists', secrets: [] },
  s3: {
    name: 'S3 bucket',
    example: 's3://bucket/folder',
    secrets: [
      ['access_key_id', 'Access key ID'],
      ['secret_access_key', 'Secret access key'],
      ['session_token', 'Session token'],
    ],
  },
  sftp: {
    name: 'SFTP folder',
    example: 'sftp://user@host/folder',
    secrets: [
      ['password', 'Password'],
      ['private_key', 'Private key'],
      ['passphrase', 'Passphrase of the private key'],
    ],
  },
  https: {
    name: 'Web address',
    example: 'https://example.com/list.csv',
    secrets: [['token', 'Bearer token']],
  },
  postgres: {
    name: 'Postgres database',
    example: 'postgres://user@host/database',
    secrets: [['password', 'Password']],
  },
};

/** Location of a new form. */
export const emptyPlace: PlaceDraft = {
  kind: 'folder',
  address: '',
  endpoint: '',
  region: '',
  hostKey: '',
  secrets: {},
};

/** Converts secrets to a field of the API, without those of another kind and those not entered. */
export function secretsOf({ kind, secrets }: PlaceDraft): { readonly credentials?: Record<string, string> } {
  const known = placeKinds[kind].secrets.map(([name]) => name);
  const given = Object.entries(secrets).filter(([name, text]) => known.includes(name) && text !== '');
  return given.length === 0 ? {} : { credentials: Object.fromEntries(given) };
}

type PlaceBody = Pick<
  Body<'InboxRequest'>,
  'location' | 'endpoint' | 's3_region' | 'host_key' | 'credentials'
>;

/** Converts a location to fields of the API. */
export function placeBody(place: PlaceDraft): PlaceBody {
  const { kind, address, endpoint, region, hostKey } = place;
  return {
    location: address.trim(),
    ...(kind === 's3' && endpoint.trim() !== '' ? { endpoint: endpoint.trim() } : {}),
    ...(kind === 's3' && region.trim() !== '' ? { s3_region: region.trim() } : {}),
    ...(kind === 'sftp' && hostKey.trim() !== '' ? { host_key: hostKey.trim() } : {}),
    ...secretsOf(place),
  };
}
