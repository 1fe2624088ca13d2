import { differenceFromRecorded } from '../../../sources/replies/compare-recorded.ts';
import type { LiveSourceDefinition } from '../../../sources/definition/source-definition.ts';
import type { SourceCatalog } from '../../../sources/registry.ts';
import { anySearch } from '../../../core/ads/ads-answer.ts';
import type { ShapeDifference } from '../../../core/sources/reply-shape.ts';
import { parseCompany, type CompanyQuery } from '../../../core/companies/company.ts';
import { SourceUnreadable, ValidationError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

interface SmokeOptions extends AccountOptions {
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
export const smokeSource: Command<[string], SmokeOptions> = async (context, options, name) => {
  const definition = parseLiveSource(name, context.config().catalog);
  const { id: source } = definition;
  const company = parseOptions(options);
  const { outcome, reason, replies } = await sendRequest(context, options, { source, company });
  const difference = differenceOf(definition, replies);
  const isCompared = outcome === 'found' || reason !== null;
  if (isCompared) await (await context.app()).sources.checks.keep({ source, outcome, ...difference });
  context.output.result({ source, outcome, reason, ...difference }, () =>
    isCompared
      ? [differenceText(definition, outcome, difference), ...(reason === null ? [] : [reason])].join('\n')
      : noAdsText(source, outcome, replies),
  );
  return outcome === 'found' && difference.missing.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

function parseLiveSource(name: string, catalog: SourceCatalog): LiveSourceDefinition {
  const source = catalog.findLive(name);
  if (source !== undefined) return source;
  throw new ValidationError(`Unknown network source "${name}". List the sources with: nightshift sources`);
}

/** Parses the company. It needs a domain, because the recorded responses are those of searches by domain. */
function parseOptions({ domain, name }: SmokeOptions): CompanyQuery {
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'rejected') throw new ValidationError(`--domain ${domain}: ${parsed.reason}.`);
  if (parsed.company.domain === null) throw new ValidationError(`--domain ${domain}: ${parsed.warning}.`);
  return parsed.company;
}

interface LiveResponse {
  readonly outcome: string;
  /** Reason why the response could not be parsed; null when it could. */
  readonly reason: string | null;
  readonly replies: readonly string[];
}

/** Searches like every other request: rate limited, logged, charged, and on the bill of the source. */
async function sendRequest(
  context: CommandContext,
  options: AccountOptions,
  { source, company }: { readonly source: string; readonly company: CompanyQuery },
): Promise<LiveResponse> {
  const {
    lookups: { searchAds },
    sources: { checks: sourceChecks },
    config,
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  if (config.keepRawResponsesMs === null)
    throw new ValidationError(
      'Responses can be compared only if they are stored. Set NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS.',
    );
  const requestId = newId('req', Date.now());
  const searched = await searchAds({
    accountId,
    company,
    sources: [source],
    search: { ...anySearch, adsMax: 1 },
    via: [],
    requestId,
  }).then((answer) => ({ outcome: answer.outcome, reason: null }), unreadable);
  return { ...searched, replies: await sourceChecks.readReplies(requestId) };
}

/** Returns the outcome of a response that cannot be parsed. Rethrows any other error. */
function unreadable(error: unknown): Omit<LiveResponse, 'replies'> {
  if (error instanceof SourceUnreadable) return { outcome: error.code, reason: error.message };
  throw error;
}

function differenceOf(
  { recordedShapes = [] }: LiveSourceDefinition,
  [first]: readonly string[],
): ShapeDifference {
  const difference = first === undefined ? null : differenceFromRecorded(recordedShapes, first);
  return difference ?? { missing: [], added: [] };
}

function differenceText(
  source: LiveSourceDefinition,
  outcome: string,
  { missing, added }: ShapeDifference,
): string {
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

function noAdsText(source: string, outcome: string, replies: readonly string[]): string {
  const called = replies.length === 0 ? 'No call was made' : 'The call succeeded';
  return (
    `${source} has no ads of that company (${outcome}). ${called}, but nothing was compared. Choose a company with ads with --domain, ` +
    'and with --name as well for a source that searches by name.'
  );
}
