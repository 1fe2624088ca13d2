import { messageWithVendor, SourceRefused, type EnrichError } from '../../core/errors.ts';
import {
  howToTurnOn,
  requiredSettings,
  type AccountState,
  type LiveSourceDefinition,
} from '../../sources/definition/source-definition.ts';
import { liveSources } from '../../sources/registry.ts';
import { howToName } from '../../app/sources/source-registry.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

/** Maximum age of a snapshot in days: it lacks newer ads. Google renews its export daily; our choice. */
const snapshotDaysMax = 30;

/** Checks the default sources of a batch; without any, ads cannot be searched. `live` are the configured network sources. */
export function evaluateDefaultSources(
  names: readonly string[],
  live: readonly LiveSourceDefinition[],
): Finding {
  const title = 'sources';
  if (names.length === 0 && live.length > 0)
    return warning(title, 'batches without a named source cannot be looked up', `${howToName(live)}.`);
  if (names.length === 0) {
    const defaults = liveSources.filter(({ isDefault = false }) => isDefault);
    const remedy =
      "`nightshift snapshot load FILE…` loads an export of Google's public dataset; " +
      defaults.map((source) => `${howToTurnOn(source)} name ${source.about}; `).join('') +
      '`nightshift sources` lists the others; `--source sample` uses generated ads.';
    return warning(title, 'no ad source is configured, so nothing can be looked up', remedy);
  }
  const found = names.join(', ');
  if (!names.includes('sample')) return ok(title, found);
  const remedy = 'Remove sample from NIGHTSHIFT_SOURCES. Use `--source sample` where you need generated ads.';
  return warning(title, `${found}: batches without a named source get generated ads`, remedy);
}

/** Checks that a source is usable; `failure` is the reason why not. */
export function evaluateSource(name: string, failure: string | null): Finding {
  const title = `source ${name}`;
  if (failure === null) return ok(title, 'usable');
  const remedy = 'Follow the message, or remove the source from NIGHTSHIFT_SOURCES and unset its settings.';
  return problem(title, failure, remedy);
}

/** Checks the age of the snapshot by the newest date of its ads. */
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
  { id, baseUrl: { place }, checkAccount }: LiveSourceDefinition,
  url: string,
  failure: string | null,
): Finding {
  const title = `reaching ${id}`;
  const { host } = new URL(url);
  if (failure === null)
    return ok(
      title,
      checkAccount === undefined
        ? `${host} answers; the credentials were not checked, because that costs a call`
        : `${host} answers`,
    );
  return problem(title, `${host}: ${failure}`, `Check ${place}, and any firewall or proxy in between.`);
}

/** Result of the free call that tests the credentials of a source. */
export type AccountResult =
  | { readonly state: AccountState; readonly error: null }
  | { readonly state: null; readonly error: EnrichError };

/** Statuses that concern the key or the account. */
const rejections: readonly number[] = [401, 402, 403];

/** Checks the credentials of a source. An error that is no rejection says nothing about them. */
export function evaluateAccount(definition: LiveSourceDefinition, { state, error }: AccountResult): Finding {
  const { id, label, settings } = definition;
  const title = `account at ${id}`;
  if (error instanceof SourceRefused && rejections.includes(error.status)) {
    const remedy =
      error.status === 402
        ? `Add funds or searches at ${label}. Batches wait for it until then.`
        : `Check ${requiredSettings(settings).join(' and ')} against the account at ${label}.`;
    return problem(title, messageWithVendor(error), remedy);
  }
  if (error !== null) {
    const remedy = 'Run `nightshift doctor` again. This says nothing about the credentials.';
    return warning(title, `not checked: ${messageWithVendor(error)}`, remedy);
  }
  if (!state.isSpent) return ok(title, `${state.text}; the credentials are valid`);
  return warning(title, `${state.text}; the credentials are valid`, `Add funds or searches at ${label}.`);
}

/** Source that charges, with the unit of its price. */
export interface ChargingSource {
  readonly name: string;
  readonly unit: string;
}

/** Checks that the billable sources in use have a price. Null without such sources. */
export function evaluatePrices(
  charging: readonly ChargingSource[],
  priced: readonly string[],
): Finding | null {
  if (charging.length === 0) return null;
  const title = 'prices of the sources';
  const unknown = charging.filter(({ name }) => !priced.includes(name));
  if (unknown.length === 0) return ok(title, `set for ${namesOf(charging)}`);
  return warning(
    title,
    `not set for ${namesOf(unknown)}: \`nightshift audit\` cannot check their charges`,
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

/** Quotes a word for the shell. */
function quoted(word: string): string {
  return /^[\w-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Reminds of the terms that the operator accepted by turning a source on; null for a source without such terms. */
export function evaluateTerms({ id, terms }: LiveSourceDefinition): Finding | null {
  if (terms === undefined) return null;
  return warning(`terms of ${id}`, `acknowledged: ${terms.acknowledged}`, terms.remedy);
}
