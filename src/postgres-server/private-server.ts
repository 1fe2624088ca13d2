import type { Postmaster } from './postmaster.ts';
import type { Role } from './passwords.ts';
import type { ServerState } from './state.ts';

/** A private Postgres server that runs, is set up, and lets us in. */
export interface PrivateServer {
  /** The home folder, links resolved. */
  readonly home: string;
  readonly dataFolder: string;
  /** Folder of its programs. */
  readonly binariesFolder: string;
  /** TCP port on 127.0.0.1. */
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** True when it ran before this call, or another process was quicker to start it. */
  readonly adopted: boolean;
  /** The URL by which `role` enters `database`, password included. Default: the database `nightshift`. */
  readonly url: (role: Role, database?: string) => string;
}

/** Folder of a server, and its stored state. */
export interface ServerPlace {
  readonly home: string;
  readonly state: ServerState;
}

/** Describes a running server to those who use it. */
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
    url: (role, database = 'nightshift') =>
      `postgres://${role}:${state.passwords[role]}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
  };
}
