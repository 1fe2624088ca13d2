/** Parts of a reply that state whether there are results. */
export interface Remarks {
  readonly search_information: Readonly<Record<string, unknown>>;
  readonly error?: string | undefined;
}

const nothingCame = /hasn['\u2019]t returned any results/i;

/**
 * A search without results is a `Success`, and `error` states that for people: `Google hasn't returned any results for this
 * query.` The state `Fully empty` may stand beside it, under a key that ends in `_state` and differs by engine
 * (serpapi.com/search-errors).
 */
export function tellsNone({ error, search_information: information }: Remarks): boolean {
  const states = Object.entries(information).filter(([key]) => key.endsWith('_state'));
  const isStated = states.some(([, state]) => String(state).toLowerCase() === 'fully empty');
  return error !== undefined && (isStated || nothingCame.test(error));
}
