import { useEffect, useRef, useState } from 'preact/hooks';
import { consoleReconnect } from '../../../core/work/retry-policies.ts';
import { api, read, type Body } from '../../api/client.ts';
import { isTabVisible } from '../../api/live/account-events.ts';
import { withDeadline } from '../../api/send.ts';
import { useEvents } from '../../api/use-events.ts';
import { useLoad, type Loaded } from '../../api/use-load.ts';
import { isEnded } from '../../components/batch-state.tsx';

type Batch = Body<'Batch'>;

/** Batch with live updates. */
export type FollowedBatch = Loaded<Batch>;

/** Deadline of a request. */
const answerMs = 10_000;

/**
 * Follows a batch: its progress through its own event stream while it is open and the tab visible, everything else through that of the account.
 * Without a stream (server full or unavailable, session expired) it polls every few seconds and reconnects each time.
 */
export function useBatch(id: string): FollowedBatch {
  const loaded = useLoad(
    `batch ${id}`,
    (signal) =>
      read(api.GET('/v1/batches/{id}', { params: { path: { id } }, signal: withDeadline(signal, answerMs) })),
    ['batches'],
  );
  const { data, error, reload } = loaded;
  const [connection, setConnection] = useState(0);
  const [isLost, setLost] = useState(false);
  const hasEvents = useRef(true);
  const isLive = data !== undefined && !isEnded(data.state) && isTabVisible.value;
  const events = `/v1/batches/${encodeURIComponent(id)}/events`;
  // Browsers do not send the part after `#`: it only forces a new connection.
  useEvents(isLive && !isLost && error === undefined ? `${events}#${connection}` : null, {
    names: ['progress', 'end'],
    onEvent: (_name, batch) => {
      hasEvents.current = true;
      loaded.replace(batch as Batch);
    },
    onLost: () => setLost(true),
  });
  useEffect(() => {
    if (!isLost) return;
    const reconnect = () => {
      hasEvents.current = false;
      reload();
      setConnection((n) => n + 1);
      setLost(false);
    };
    const timer = setTimeout(
      reconnect,
      hasEvents.current ? consoleReconnect.initialDelayMs : consoleReconnect.delayMsMax,
    );
    return () => clearTimeout(timer);
  }, [isLost]);
  return loaded;
}
