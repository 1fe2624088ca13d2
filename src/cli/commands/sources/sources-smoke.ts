import { toSmokeBody } from '../../../api/v1/sources/schema.ts';
import { parseSmokeCompany, type SmokeResult } from '../../../core/sources/state/smoke-test.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { LiveSourceDefinition } from '../../../sources/definition/source-definition.ts';
import type { SourceCatalog } from '../../../sources/registry.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

interface SmokeFlags extends AccountOptions {
  readonly domain: string;
  readonly name?: string;
}

/** Maximum number of keys in the text output; `--json` has all. */
const shownMax = 30;

/**
 * Sends one live request to a source, compares the keys of the response with the recorded ones, and stores the result for
 * `nightshift sources`. Exits 1 if a key is missing, the response cannot be parsed, or it has no ads: then there is nothing to compare,
 * and nothing is stored.
 */
export const testSource: Command<[string], SmokeFlags> = async (context, options, name) => {
  const source = parseLiveSource(name, context.config().catalog);
  const { domain } = options;
  const company = parseSmokeCompany({ domain, name: options.name }, `--domain ${domain}`);
  const { accountId } = await chooseAccount(context, options);
  const { lookups } = await context.app();
  const result = await lookups.smokeSource(source.id, { accountId, company });
  context.output.result(toSmokeBody(result), () => smokeText(source, result));
  return result.outcome === 'found' && result.missing.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

function parseLiveSource(name: string, catalog: SourceCatalog): LiveSourceDefinition {
  const source = catalog.findLive(name);
  if (source !== undefined) return source;
  throw new ValidationError(`Unknown network source "${name}". List the sources with: nightshift sources`);
}

function smokeText(source: LiveSourceDefinition, result: SmokeResult): string {
  if (!result.isCompared) return noAdsText(result);
  const { reason } = result;
  return [differenceText(source, result), ...(reason === null ? [] : [reason])].join('\n');
}

function differenceText(source: LiveSourceDefinition, { outcome, missing, added }: SmokeResult): string {
  const lines = [
    ...missing.map((path) => `  missing  ${path}`),
    ...added.map((path) => `  new      ${path}`),
  ];
  if (lines.length === 0) return sameText(source, outcome);
  const left = lines.length - shownMax;
  return [
    `${source.id} answered (${outcome}), but its response differs from the recorded ones:`,
    ...lines.slice(0, shownMax),
    ...(left > 0 ? [`  … and ${left} more: --json shows all`] : []),
  ].join('\n');
}

function sameText({ id, recordedShapes }: LiveSourceDefinition, outcome: string): string {
  if (outcome !== 'found') return `${id} answered, but its response cannot be parsed (${outcome}).`;
  return recordedShapes === undefined
    ? `${id} answered, and its response was parsed. There is no recorded response to compare it with.`
    : `${id} answered with the same keys as the recorded responses.`;
}

function noAdsText({ source, outcome, replies }: SmokeResult): string {
  const called = replies === 0 ? 'No call was made' : 'The call succeeded';
  return (
    `${source} has no ads of that company (${outcome}). ${called}, but nothing was compared. Choose a company with ads with --domain, ` +
    'and with --name as well for a source that searches by name.'
  );
}
