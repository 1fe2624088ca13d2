import type { Postmaster } from './postmaster.ts';
import type { Role } from './passwords.ts';
import type { ServerState } from './state.ts';

/** Private Postgres server that is running and set up. */
export interface PrivateServer {
  /** The home folder, links resolved. */
  readonly home: string;
  readonly dataFolder: string;
  /** Folder of the programs. */
  readonly binariesFolder: string;
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** True when it was running before this call, or another process started it. */
  readonly adopted: boolean;
  /** Returns the URL of `role` for `database`, with its password. Default: the database `nightshift`. */
  readonly url: (role: Role, database?: string) => string;
}

/** Home of a server, with its stored state. */
export interface ServerPlace {
  readonly home: string;
  readonly state: ServerState;
}

/** Creates the description of a running server. */
export function createPrivateServer(
  { home, state }: ServerPlace,
  { pid, port }: Postmaster & { readonly port: number },
  adopted: boolean,
): PrivateServer {
  return {
    home,
    dataFolder: state.dataFolder,
    binariesFolder: state.binariesFolder,
    port,
    pid,
    adopted,
    url: serverUrl(state, port),
  };
}

/** Returns the URLs of the roles at a running server. */
export function serverUrl({ passwords }: Pick<ServerState, 'passwords'>, port: number): PrivateServer['url'] {
  return (role, database = 'nightshift') =>
    `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}
