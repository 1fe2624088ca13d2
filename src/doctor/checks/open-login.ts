import { openDatabase, type Database } from '../../../db/connection/client.ts';

/** Opens one connection in the login's own role, or in a role of Nightshift. It connects with the first statement; the caller closes it. */
export function openLogin(url: string, role: 'nightshift_app' | 'nightshift_reader' | null): Database {
  return openDatabase({ ...oneConnection, url, role });
}

/** As `openLogin`, through a pooler in transaction mode. */
export function openPooledLogin(url: string): Database {
  return openDatabase({ ...oneConnection, url, role: null, isPooled: true });
}

const oneConnection = {
  connectionsMax: 1,
  name: 'nightshift doctor',
  onIdleError: () => undefined,
} as const;
