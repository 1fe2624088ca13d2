import { consoleReconnect } from '../../../core/work/retry-policies.ts';
import { readEvents } from './read-events.ts';
import type { Clock } from './watchers.ts';

/** Stream of an account that reconnects. */
export interface LiveStream {
  /** Opens the stream, at once. No effect on an open one. */
  readonly start: () => void;
  /** Closes the stream. */
  readonly stop: () => void;
  /** Reports a request without a response. If there is no server, the stream reconnects until it is back. */
  readonly reportUnanswered: () => void;
}

/** Dependencies of a stream. */
export interface LiveStreamOptions extends Clock {
  /** Opens the stream. Rejects without a response. */
  readonly open: (signal: AbortSignal) => Promise<Response>;
  /** Resolves after a new sign-in: the session has ended. */
  readonly signIn: () => Promise<void>;
  /** True if the server answers requests. Never rejects. */
  readonly probe: () => Promise<boolean>;
  readonly onData: (data: string) => void;
  /** The server is lost; called once until it is back. */
  readonly onLost: () => void;
  readonly onBack: () => void;
  /** There is a server, and no stream for now: time to poll. */
  readonly onPoll: () => void;
  /** From 0 to below 1. */
  readonly random: () => number;
}

/** End of a connection: closed by the server, broken, or rejected by a server that has no room for it. */
type End = 'closed' | 'broken' | 'rejected';

/** Time without a byte after which a stream counts as broken: more than two heartbeats. */
const silentMsMax = 40_000;
/** Interval of polls while there is no stream. */
const pollMs = 15_000;
/** Connections that last this long count as stable: the next failure is the first one again. */
const stableMs = 10_000;
/** Number of failures after which a stream counts as blocked on its way, if the server answers requests. */
const failuresMax = 3;

/** Creates a stream, closed. */
export function createLiveStream(options: LiveStreamOptions): LiveStream {
  const { nowMs, later } = options;
  /** The connection that is open or opening, and the timer of the next one. At most one of both. */
  let connection: AbortController | null = null;
  let cancelNext: (() => void) | null = null;
  let isStarted = false;
  let isLost = false;
  let failures = 0;

  function setLost(isNow: boolean): void {
    if (isLost === isNow) return;
    isLost = isNow;
    if (isNow) options.onLost();
    else options.onBack();
  }

  async function connect(): Promise<void> {
    cancelNext = null;
    const own = (connection = new AbortController());
    let openedMs: number | null = null;
    const end = await readOnce(own, options, () => {
      openedMs ??= nowMs();
      setLost(false);
    });
    const isThere = end !== 'broken' || (connection === own && (await options.probe()));
    if (connection !== own) return;
    connection = null;
    setLost(!isThere);
    if (openedMs !== null && nowMs() - openedMs >= stableMs) failures = 0;
    failures += 1;
    connectLater(end === 'rejected' || (isThere && failures > failuresMax));
  }

  function connectLater(isPolling: boolean): void {
    if (isPolling) options.onPoll();
    const { initialDelayMs, delayMsMax } = consoleReconnect;
    const delayMs = isPolling ? pollMs : Math.min(delayMsMax, initialDelayMs * Math.max(1, failures));
    // Random, so that the tabs of a restarted server do not return together.
    cancelNext = later(delayMs * (0.5 + options.random() / 2), () => void connect());
  }

  function close(): void {
    const closed = connection;
    connection = null;
    closed?.abort();
    cancelNext?.();
    cancelNext = null;
  }

  async function check(): Promise<void> {
    if (isLost || (await options.probe()) || isLost) return;
    setLost(true);
    if (!isStarted) return;
    close();
    connectLater(false);
  }

  return {
    start: () => {
      if (connection !== null) return;
      isStarted = true;
      close();
      failures = 0;
      void connect();
    },
    stop: () => {
      isStarted = false;
      close();
    },
    reportUnanswered: () => void check(),
  };
}

/** Opens a connection and reads it to its end. `onOpen` is called for all that arrives. */
async function readOnce(
  own: AbortController,
  { open, signIn, onData, later }: LiveStreamOptions,
  onOpen: () => void,
): Promise<End> {
  const lose = () => own.abort();
  const beginSilence = () => later(silentMsMax, lose);
  let endSilence = beginSilence();
  const onBytes = () => {
    endSilence();
    endSilence = beginSilence();
    onOpen();
  };
  try {
    let response = await open(own.signal);
    if (response.status === 401) {
      endSilence();
      onOpen();
      await signIn();
      endSilence = beginSilence();
      response = await open(own.signal);
    }
    if (response.ok && response.body !== null) {
      await readEvents(response.body, { onBytes, onData });
      return 'closed';
    }
    await response.body?.cancel();
    return response.status < 500 ? 'rejected' : 'broken';
  } catch {
    return 'broken';
  } finally {
    endSilence();
  }
}
