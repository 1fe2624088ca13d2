import { useEffect, useState } from 'preact/hooks';
import { api, read, type Body } from '../../api/client.ts';
import { useEvents } from '../../api/use-events.ts';
import { useLoad, type Loaded } from '../../api/use-load.ts';
import { isOver } from '../../parts/batch-state.tsx';

type Batch = Body<'Batch'>;

/** A list as it is now, and goes on being. */
export type FollowedBatch = Loaded<Batch>;

/** How long the page waits before it asks again, once the browser has given up on the events. */
const retryMs = 4000;

/**
 * Follows a list by its events. Where those cannot be had, because the server is full or was away for long, or the session has ended,
 * it asks for the list itself every few seconds, and tries the events again each time.
 */
export function useBatch(id: string): FollowedBatch {
  const loaded = useLoad(`batch ${id}`, (signal) =>
    read(api.GET('/v1/batches/{id}', { params: { path: { id } }, signal })),
  );
  const [round, setRound] = useState(0);
  const [isLost, setLost] = useState(false);
  const isGoingOn = loaded.data !== undefined && !isOver(loaded.data.state);
  const events = `/v1/batches/${encodeURIComponent(id)}/events`;
  // What stands behind the `#` is sent to nobody: it only makes it another connection.
  useEvents(isGoingOn && !isLost ? `${events}#${round}` : null, {
    names: ['progress', 'end'],
    onEvent: (_name, data) => loaded.replace(data as Batch),
    onLost: () => setLost(true),
  });
  useEffect(() => {
    if (!isLost) return;
    const timer = setTimeout(() => {
      loaded.reload();
      setRound((n) => n + 1);
      setLost(false);
    }, retryMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return loaded;
}
