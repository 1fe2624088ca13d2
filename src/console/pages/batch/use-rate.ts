import { useEffect, useRef, useState } from 'preact/hooks';
import { createRateMeter } from '../../../core/batches/measure-rate.ts';
import { api, read, type Body } from '../../api/client.ts';

/** Window of the rate: long enough for a source that responds twice a minute. */
const windowMs = 120_000;

/** Recent lookups per second; null while unknown. Starts with the rate that the server measured. */
export function useRate({ id, state, lookups }: Body<'Batch'>): number | null {
  const meter = useRef(createRateMeter(() => performance.now(), windowMs));
  const [, setNow] = useState(0);
  const isRunning = state === 'running';
  const done = lookups.total - lookups.open;

  useEffect(() => {
    meter.current.reset();
    if (!isRunning) return;
    const leaving = new AbortController();
    read(api.GET('/v1/batches/{id}/pace', { params: { path: { id } }, signal: leaving.signal })).then(
      ({ ended, seconds }) => meter.current.begin(done - ended, performance.now() - seconds * 1000),
      // Without it, the measurement starts now.
      () => undefined,
    );
    // The rate falls with time, also without new results.
    const ticking = setInterval(() => setNow((n) => n + 1), 1000);
    return () => {
      leaving.abort();
      clearInterval(ticking);
    };
  }, [id, isRunning]);

  if (isRunning) meter.current.note(done);
  return isRunning ? meter.current.perSecond() : null;
}
