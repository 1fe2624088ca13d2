import { openDatabase, type Database } from '../../../db/connection/client.ts';

/** Opens one connection in the login's own role, or in a role of Nightshift. It connects with the first statement; the caller closes it. */
export function openLogin(url: string, role: 'nightshift_app' | 'nightshift_reader' | null): Database {
  return openDatabase({
    url,
    role,
    connectionsMax: 1,
    name: 'nightshift doctor',
    onIdleError: () => undefined,
  });
}
