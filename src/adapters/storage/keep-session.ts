import { ConnectionLost } from './sftp-errors.ts';
import type { SftpSession } from './sftp-session.ts';

/** A connection that operations share. */
export interface KeptSession {
  /** Returns the connection; opens one when there is none, or when the last was lost. */
  readonly session: () => Promise<SftpSession>;
  /** Ends the connection, also one that is being opened. The next operation opens another. */
  readonly drop: () => void;
}

/** Shares one connection among operations. */
export function keepSession(open: (signal: AbortSignal) => Promise<SftpSession>): KeptSession {
  let stop = new AbortController();
  let current: Promise<SftpSession> | null = null;
  let opened: SftpSession | null = null;

  function drop(): void {
    stop.abort(new ConnectionLost());
    opened?.end();
    stop = new AbortController();
    current = opened = null;
  }

  return {
    async session(): Promise<SftpSession> {
      if (opened !== null && !opened.isOpen()) drop();
      const opening = (current ??= open(stop.signal));
      try {
        const session = await opening;
        if (current !== opening) {
          session.end();
          throw new ConnectionLost();
        }
        opened = session;
        return session;
      } catch (error) {
        if (current === opening) current = null;
        throw error;
      }
    },
    drop,
  };
}
