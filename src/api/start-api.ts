import type { App } from '../app/app.ts';
import { createApi } from './create-api.ts';
import { createMetrics } from './http/metrics.ts';
import { createRequestLimits } from './http/request-limits.ts';
import { serve } from './http/server.ts';

/** The API of this process. */
export interface RunningApi {
  /** Address of the server. */
  readonly url: string;
  /** Rejects new requests with 503, waits for those in progress, and aborts the rest after the grace period. */
  close(): Promise<void>;
}

/** Maximum duration of a stop. */
const stopMsMax = 25_000;

/** Serves the API of the app's configuration. @throws Misconfigured when the address is not available. */
export async function startApi(services: App): Promise<RunningApi> {
  const { config, log } = services;
  const { host, port, baseUrl, rates } = config.api;
  // Opens the lazy connections: until then the rate limits would count for this process alone.
  await services.work.readReadiness();
  const stopping = new AbortController();
  const limits = createRequestLimits(services.work.limits, {
    queuePrefix: config.queuePrefix,
    rates,
    onError: (error) => log.warn({ err: error }, 'rate limits not shared; each process counts for itself'),
  });
  const metrics = createMetrics(services.work.stats.readStats, {
    countBackends: services.sql.queries.countBackends,
    countReadings: services.sql.countReadings,
  });
  const server = await serve(
    (own) => createApi({ services, limits, metrics, baseUrl: own, stopping: stopping.signal }).fetch,
    { host, port, portSetting: 'PORT', baseUrl },
  );
  return {
    url: server.url,
    close: async () => {
      stopping.abort(new Error('The server is stopping.'));
      await server.close(Math.min(config.graceMs, stopMsMax));
      services.lookups.abort();
    },
  };
}
