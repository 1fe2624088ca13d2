import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** A received mail. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, unchanged. */
  readonly source: string;
  readonly login: string | null;
}

export interface MailServer {
  /** URL with the required login. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Sets the replies to the recipients of the next mails, such as `550`; null accepts the mail. */
  readonly next: (...codes: readonly (number | null)[]) => void;
  readonly close: () => Promise<void>;
}

const login = { user: 'nightshift', pass: 'a secret' };

/** Opens a mail server on 127.0.0.1 that accepts mail from every logged-in client, until the test ends. */
export async function openMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let codes: (number | null)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      if (username === login.user && password === login.pass) done(null, { user: username });
      else done(new Error('Who are you?'));
    },
    onRcptTo: (_address, _session, done) => {
      const code = codes.shift() ?? null;
      done(code === null ? null : Object.assign(new Error('Not here'), { responseCode: code }));
    },
    onData: (stream, { envelope, user }, done) => {
      void text(stream).then((source) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        mails.push({ from, to, source, login: typeof user === 'string' ? user : null });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  return {
    url: `smtp://${login.user}:${encodeURIComponent(login.pass)}@127.0.0.1:${port}`,
    mails,
    next: (...given) => {
      codes = [...given];
    },
    close,
  };
}
