import type { App } from '../app/app.ts';
import { createApi } from './create-api.ts';
import { createMetrics } from './http/metrics.ts';
import { createRequestLimits } from './http/request-limits.ts';
import { serve } from './http/server.ts';

/** The API of this process. */
export interface RunningApi {
  /** Address of the server. */
  readonly url: string;
  /** Refuses new requests with 503, lets those under way end, and cuts off what is left after the time of grace. */
  close(): Promise<void>;
}

/** A stop takes at most so long. */
const stopMsMax = 25_000;

/** Serves the API of the app's configuration. @throws Misconfigured when the address cannot be had. */
export async function startApi(services: App): Promise<RunningApi> {
  const { config } = services;
  const { host, port, baseUrl, rates } = config.api;
  // Opens the connections that are opened on first use: until then the limits would count for this process alone.
  await services.work.readReadiness();
  const stopping = new AbortController();
  const limits = createRequestLimits(services.work.limits, config.queuePrefix, rates);
  const metrics = createMetrics(services.work.stats.readStats, services.sql.queries.countBackends);
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
