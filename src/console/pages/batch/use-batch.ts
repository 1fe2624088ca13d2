import { useEffect, useRef, useState } from 'preact/hooks';
import { consoleReconnect } from '../../../core/work/retry-policies.ts';
import { api, read, type Body } from '../../api/client.ts';
import { withDeadline } from '../../api/send.ts';
import { useEvents } from '../../api/use-events.ts';
import { useLoad, type Loaded } from '../../api/use-load.ts';
import { isOver } from '../../components/batch-state.tsx';

type Batch = Body<'Batch'>;

/** A list as it is now, and goes on being. */
export type FollowedBatch = Loaded<Batch>;

/** Without a word for so long it asks whether the server is still there, and gives that so much time. */
const silenceMs = 20_000;
const answerMs = 10_000;

/**
 * Follows a list by its events. Where those cannot be had, because the server is full or away, or the session has ended, it asks for the
 * list itself every few seconds, and tries the events again each time.
 */
export function useBatch(id: string): FollowedBatch {
  const loaded = useLoad(`batch ${id}`, (signal) =>
    read(api.GET('/v1/batches/{id}', { params: { path: { id } }, signal: withDeadline(signal, answerMs) })),
  );
  const { data, failure, asOf, reload } = loaded;
  const [round, setRound] = useState(0);
  const [isLost, setLost] = useState(false);
  const isHeard = useRef(true);
  const isGoingOn = data !== undefined && !isOver(data.state);
  const events = `/v1/batches/${encodeURIComponent(id)}/events`;
  // What stands behind the `#` is sent to nobody: it only makes it another connection.
  useEvents(isGoingOn && !isLost && failure === undefined ? `${events}#${round}` : null, {
    names: ['progress', 'end'],
    onEvent: (_name, batch) => {
      isHeard.current = true;
      loaded.replace(batch as Batch);
    },
    onLost: () => setLost(true),
  });
  useEffect(() => {
    if (!isLost) return;
    const again = () => {
      isHeard.current = false;
      reload();
      setRound((n) => n + 1);
      setLost(false);
    };
    const timer = setTimeout(
      again,
      isHeard.current ? consoleReconnect.initialDelayMs : consoleReconnect.delayMsMax,
    );
    return () => clearTimeout(timer);
  }, [isLost]);
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setTimeout(reload, silenceMs);
    return () => clearTimeout(timer);
  }, [isGoingOn, asOf]);
  return loaded;
}
