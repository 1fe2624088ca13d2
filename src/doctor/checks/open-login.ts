import { openDatabase, type Database } from '../../../db/connection/client.ts';

/** One connection in the login's own role, or acting as one of ours; opened with the first statement. Whoever opens it closes it. */
export function openLogin(url: string, role: 'nightshift_app' | 'nightshift_reader' | null): Database {
  return openDatabase({
    url,
    role,
    connectionsMax: 1,
    name: 'nightshift doctor',
    onIdleError: () => undefined,
  });
}
