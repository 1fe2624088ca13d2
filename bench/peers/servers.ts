/** A Postgres of an engine: the address of its database, and the id of its first process. */
export interface PeerServer {
  readonly databaseUrl: string;
  readonly pid: number;
}
