import { howToTurnOn, type LiveSourceDefinition } from '../../sources/definition/source-definition.ts';
import { liveSources } from '../../sources/registry.ts';
import { howToName } from '../../app/source-registry.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

/** An export older than this misses ads that began since. Google's export is made anew every day; our choice. */
const snapshotDaysMax = 30;

/** Checks the default sources of a batch; without any there is no ads search. `live` are configured, named or not. */
export function evaluateDefaultSources(
  names: readonly string[],
  live: readonly LiveSourceDefinition[],
): Finding {
  const title = 'sources';
  if (names.length === 0 && live.length > 0)
    return warning(title, 'lists that name no source cannot be looked up', `${howToName(live)}.`);
  if (names.length === 0) {
    const defaults = liveSources.filter(({ isDefault = false }) => isDefault);
    const remedy =
      "`nightshift snapshot load FILE…` loads an export of Google's public dataset; " +
      defaults.map((source) => `${howToTurnOn(source)} name ${source.about}; `).join('') +
      '`nightshift sources` lists the others; `--source sample` tries it with generated ads.';
    return warning(title, 'there is no ad source yet, so nothing can be looked up', remedy);
  }
  const found = names.join(', ');
  if (!names.includes('sample')) return ok(title, found);
  const remedy = 'Take sample out of NIGHTSHIFT_SOURCES; `--source sample` names it where it is wanted.';
  return warning(title, `${found}: lists that name no source are answered with generated ads`, remedy);
}

/** Checks that a source of batches is usable; `failure` is the reason why not. */
export function evaluateSource(name: string, failure: string | null): Finding {
  const title = `source ${name}`;
  if (failure === null) return ok(title, 'can be used');
  const remedy = 'Do what it says, or take the source out of NIGHTSHIFT_SOURCES, and its settings.';
  return problem(title, failure, remedy);
}

/** Checks the age of the snapshot, by the newest day of its ads. */
export function evaluateSnapshotAge(newestDay: string | null, now: Date): Finding {
  const title = 'age of the snapshot';
  const remedy = 'Load a newer export: `nightshift snapshot load FILE…`.';
  if (newestDay === null) return warning(title, 'no ad in it has a date', remedy);
  const days = Math.floor((now.getTime() - Date.parse(newestDay)) / 86_400_000);
  const found = `its newest ad was seen on ${newestDay}, ${days} days ago`;
  return days <= snapshotDaysMax ? ok(title, found) : warning(title, found, remedy);
}

/** Checks that the host of a source is reachable; `failure` is the reason why not. Makes no billable call. */
export function evaluateReach(
  { id, baseUrl: { place } }: LiveSourceDefinition,
  url: string,
  failure: string | null,
): Finding {
  const title = `reaching ${id}`;
  const { host } = new URL(url);
  if (failure === null)
    return ok(title, `${host} answers; its credential was not tried, since that could cost money`);
  return problem(
    title,
    `${host}: ${failure}`,
    `Check ${place}, and whether a firewall or a proxy stands between.`,
  );
}

/** A source that charges, and what a unit of it is. */
export interface ChargingSource {
  readonly name: string;
  readonly unit: string;
}

/** Sources that are in use and charge, and which of them have a price in the book. Null where there are none. */
export function evaluatePrices(
  charging: readonly ChargingSource[],
  priced: readonly string[],
): Finding | null {
  if (charging.length === 0) return null;
  const title = 'prices of the sources';
  const unknown = charging.filter(({ name }) => !priced.includes(name));
  if (unknown.length === 0) return ok(title, `known of ${namesOf(charging)}`);
  return warning(
    title,
    `not known of ${namesOf(unknown)}: \`nightshift audit\` cannot tell what they cost`,
    unknown
      .map(
        ({ name, unit }) =>
          `\`nightshift prices source ${name} AMOUNT --currency USD --unit ${quoted(unit)}\``,
      )
      .join(', '),
  );
}

function namesOf(sources: readonly ChargingSource[]): string {
  return sources.map(({ name }) => name).join(', ');
}

/** As a shell takes it for one word. */
function quoted(word: string): string {
  return /^[\w-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Reminds of the terms that the operator accepted by turning a source on; null for a source without such terms. */
export function evaluateTerms({ id, terms }: LiveSourceDefinition): Finding | null {
  if (terms === undefined) return null;
  return warning(`terms of ${id}`, `acknowledged: ${terms.acknowledged}`, terms.remedy);
}
