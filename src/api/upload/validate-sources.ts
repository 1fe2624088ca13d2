import type { App } from '../../app/app.ts';
import type { SearchOptions } from '../../core/ads/ads-answer.ts';
import { Misconfigured } from '../../core/errors.ts';
import { Problem } from '../http/problem.ts';

/**
 * Refuses sources that cannot be used here. Whoever names one means that one: where there is none of it, the request is wrong, and
 * waiting does not help. Nothing is wrong where none is named.
 *
 * @throws Problem naming `where`, the field that they stand in; ValidationError for one that there is not.
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
      titles: [`${where}: ${sources.join(', ')} cannot be used here: not all of it is set up`],
      cause,
    });
  }
}
