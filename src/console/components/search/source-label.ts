import type { components } from '../../../../examples/typescript-client/schema.ts';

type Source = components['schemas']['Source'];

/** Describes a source in a choice: its name, its price and its pause. */
export function sourceLabel(source: Source): string {
  if (source.name === 'sample') return 'sample: generated ads';
  return [`${source.name}: ${priceText(source)}`, ...(source.pause === null ? [] : ['paused'])].join(', ');
}

/** Formats the price of the vendor. */
export function priceText({ price, charges }: Source): string {
  if (price !== null) return `${price.amount} ${price.currency} per ${price.unit}`;
  return charges ? 'no price set' : 'free';
}

/** Describes the choice of the default sources. */
export function defaultLabel(sources: readonly Source[]): string {
  const names = sources.filter(({ is_default: is }) => is).map(({ name }) => name);
  return names.length === 0 ? 'Default source' : `Default: ${names.join(', then ')}`;
}
