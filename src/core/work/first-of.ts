/** The first item with the lowest value by the first order, then by the next ones; null without any. */
export function firstOf<Item>(
  items: readonly Item[],
  orders: readonly ((item: Item) => number)[],
): Item | null {
  let best: { readonly item: Item; readonly values: readonly number[] } | null = null;
  for (const item of items) {
    const values = orders.map((order) => order(item));
    if (best === null || isBefore(values, best.values)) best = { item, values };
  }
  return best?.item ?? null;
}

function isBefore(values: readonly number[], others: readonly number[]): boolean {
  const at = values.findIndex((value, i) => value !== others[i]);
  return at !== -1 && (values[at] ?? 0) < (others[at] ?? 0);
}
