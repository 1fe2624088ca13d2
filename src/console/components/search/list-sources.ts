import { api, read, type Body } from '../../api/client.ts';

/** Lists all ad sources. @throws RequestError */
export async function listSources(signal: AbortSignal): Promise<Body<'SourceList'>['sources']> {
  const { sources } = await read(api.GET('/v1/sources', { signal }));
  return sources;
}
