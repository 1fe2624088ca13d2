import type { Closers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { Logger } from '../log.ts';
import type { ServerOptions, Servers } from './servers.ts';

/** Parts that every namespace of the app uses. `closers` closes what a namespace opens, in reverse order. */
export interface Wiring {
  readonly config: Config;
  readonly log: Logger;
  readonly closers: Closers;
  readonly servers: Servers;
  readonly onProgress: ServerOptions['onProgress'];
}
