import type { App } from '../../app/app.ts';
import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import { Misconfigured } from '../../core/errors.ts';
import { Problem } from '../http/problem.ts';

/**
 * Rejects named sources that are not available. A request that names a source means that one: without it the request is wrong, and waiting
 * does not help. A request that names none passes.
 *
 * @throws Problem that names their field `where`; ValidationError for an unknown source
 */
export async function rejectSources(
  registry: App['sources']['registry'],
  where: string,
  { sources, search }: { readonly sources: readonly string[] | null; readonly search: SearchOptions },
): Promise<void> {
  if (sources === null) return;
  try {
    await registry.check(sources, search);
    await registry.named(sources);
  } catch (cause) {
    if (!(cause instanceof Misconfigured)) throw cause;
    throw new Problem('validation_error', {
      titles: [`${where}: ${sources.join(', ')} is not completely configured on this server`],
      cause,
    });
  }
}
