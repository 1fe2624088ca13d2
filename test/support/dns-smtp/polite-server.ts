import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** Replies of a server that follows SMTP. */
export interface PoliteOptions {
  /** Reply to RCPT, such as `550 5.1.1 User unknown`; null accepts. `nth`: number of the recipient in the session, from 1. */
  readonly recipient?: (address: string, nth: number) => string | null;
  /** Milliseconds before the reply to the nth RCPT of the server, from 1. Default 0. */
  readonly delayMs?: (nth: number) => number;
  /** Reply to MAIL; null accepts. `session`: number of the session, from 1. */
  readonly sender?: (address: string, session: number) => string | null;
  /** Rejection instead of the greeting; null greets. */
  readonly greeting?: (session: number) => string | null;
  readonly startTls?: boolean;
  readonly pipelining?: boolean;
  readonly smtpUtf8?: boolean;
  /** Maximum number of recipients per transaction; further ones get 452. */
  readonly recipientsMax?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free port. */
  readonly port?: number;
}

export interface PoliteServer {
  readonly port: number;
  /** Every recipient of a RCPT command, in order. */
  readonly recipients: readonly { readonly address: string; readonly session: number }[];
  readonly sessions: () => number;
  /**
   * Number of times that the client waited for the server: for the greeting, and for the replies to each of its writes.
   * Unencrypted sessions only.
   */
  readonly roundTrips: () => number;
  /** Every command line that arrived unencrypted. */
  readonly commands: readonly string[];
  readonly close: () => Promise<void>;
}

/** Starts a mail server that accepts no mail. */
export async function openPoliteServer(options: PoliteOptions = {}): Promise<PoliteServer> {
  const recipients: { address: string; session: number }[] = [];
  const commands: string[] = [];
  const numbers = new Map<string, { readonly session: number; asked: number }>();
  let sessions = 0;
  let roundTrips = 0;
  const numberOf = (id: string) => numbers.get(id) ?? { session: 0, asked: 0 };

  const server = new SMTPServer({
    ...featuresOf(options),
    onConnect: ({ id }, done) => {
      numbers.set(id, { session: (sessions += 1), asked: 0 });
      done(asError(options.greeting?.(sessions)));
    },
    onMailFrom: ({ address }, { id }, done) => {
      done(asError(options.sender?.(address, numberOf(id).session)));
    },
    onRcptTo: ({ address }, { id }, done) => {
      const number = numberOf(id);
      number.asked += 1;
      recipients.push({ address, session: number.session });
      const reply = () => done(asError(options.recipient?.(address, number.asked)));
      if (options.delayMs === undefined) reply();
      else setTimeout(reply, options.delayMs(recipients.length));
    },
  });
  server.on('error', () => undefined);
  if (options.startTls !== true) {
    server.server.on('connection', (socket) => {
      roundTrips += 1;
      socket.on('data', (chunk: Buffer) => {
        roundTrips += 1;
        commands.push(
          ...chunk
            .toString()
            .split('\r\n')
            .filter((line) => line !== ''),
        );
      });
    });
  }
  server.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    recipients,
    commands,
    sessions: () => sessions,
    roundTrips: () => roundTrips,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function featuresOf(options: PoliteOptions): SMTPServerOptions {
  return {
    logger: false,
    closeTimeout: 1,
    disableReverseLookup: true,
    disabledCommands: ['AUTH'],
    hideSTARTTLS: options.startTls !== true,
    hidePIPELINING: options.pipelining === false,
    hideSMTPUTF8: options.smtpUtf8 === false,
    hideENHANCEDSTATUSCODES: true,
    ...(options.recipientsMax === undefined ? {} : { maxRecipients: options.recipientsMax }),
  };
}

function asError(reply: string | null | undefined): Error | null {
  if (reply === null || reply === undefined) return null;
  return Object.assign(new Error(reply.slice(4)), { responseCode: Number(reply.slice(0, 3)) });
}
