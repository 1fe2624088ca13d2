import {
  requiredSettings,
  type LiveSourceDefinition,
} from '../../../../src/sources/definition/source-definition.ts';
import { liveSources, sources } from '../../../../src/sources/registry.ts';
import { defaultDuration } from '../default-duration.ts';
import { code, joinParts, markdownTable, pageHead } from './markdown-page.ts';

/** Contents of docs/reference/sources.md, from the definitions of the sources. */
export function sourcesPage(): string {
  return joinParts([
    pageHead('Sources', intro),
    sourceTable(),
    '## Prices',
    'The price book of a new database. `nightshift prices` lists what is in force.',
    priceTable(),
    '## Default limits',
    'All processes on all hosts share the limits of a source. The last column is the time for 1,000 companies at this rate, with one call for ' +
      'each; a company with several pages of ads takes several.',
    limitTable(),
  ]);
}

const intro =
  'The ad sources that Nightshift knows. `nightshift sources` shows which of them you have turned on. ' +
  '[Ad sources](../guides/ad-sources.md) describes how they find companies, their terms, and their behaviour when they fail.';

function sourceTable(): string {
  return markdownTable(
    ['Source', 'What it is', 'Platform', 'Required settings', 'Search in one country'],
    sources.map((source) =>
      source.kind === 'local'
        ? [code(source.id), source.about, code('google'), '', localRegionText(source)]
        : [
            code(source.id),
            source.about,
            code(source.platform),
            requiredSettings(source.settings).map(code).join(', '),
            regionText(source),
          ],
    ),
  );
}

function localRegionText({ id }: { readonly id: string }): string {
  return id === 'snapshot' ? 'if its exports have `region_stats`' : 'yes';
}

function regionText({ regions }: LiveSourceDefinition): string {
  if (regions === undefined) return 'no';
  return regions === 'all' ? 'yes' : 'in part; other searches are rejected';
}

function priceTable(): string {
  return markdownTable(
    ['Source', 'Unit', 'Price', 'Since', 'Note'],
    liveSources.map(({ id, price }) => [code(id), ...priceCells(price)]),
  );
}

function priceCells(price: LiveSourceDefinition['price']): readonly string[] {
  if (price === null) return ['', 'nothing', '', ''];
  if (price.kind === 'configured')
    return ['in its file', 'not known', '', 'set it with `nightshift prices source`'];
  return [price.unit, `${price.amount} ${price.currency}`, price.since, price.note];
}

function limitTable(): string {
  return markdownTable(
    ['Source', 'Requests a second', 'Burst', 'Deadline, s', 'Settings change them', '1,000 companies'],
    liveSources.map((source) => [
      code(source.id),
      ...limitCells(source.limits),
      defaultDuration(source, 1000),
    ]),
  );
}

function limitCells(limits: LiveSourceDefinition['limits']): readonly string[] {
  if (limits.kind === 'adjustable')
    return [...[limits.requestsPerSecond, limits.burst, limits.deadlineSeconds].map(String), 'yes'];
  const { pace, deadlineMs } = limits.limits;
  return [String(pace?.requestsPerSecond ?? ''), String(pace?.burst ?? ''), String(deadlineMs / 1000), 'no'];
}
