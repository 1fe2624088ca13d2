import { differenceFromRecorded } from '../../../sources/replies/compare-recorded.ts';
import type { LiveSourceDefinition } from '../../../sources/definition/source-definition.ts';
import { findLiveSource } from '../../../sources/registry.ts';
import { anySearch } from '../../../core/ads/ads-answer.ts';
import type { ShapeDifference } from '../../../core/sources/reply-shape.ts';
import { parseCompany, type CompanyQuery } from '../../../core/companies/company.ts';
import { SourceUnreadable, ValidationError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

interface SmokeOptions {
  readonly domain: string;
  readonly name?: string;
}

/** Keys that are shown for people; `--json` has them all. */
const shownMax = 30;

/**
 * Asks a source about one company, one page, compares the keys of its reply with the recorded ones, and keeps what came of it for
 * `nightshift sources`. Exit 1 when a key is missing, when the reply cannot be read, and when it tells of no ads: then there is
 * nothing to compare, and nothing is kept.
 */
export const smokeSource: Command<[string], SmokeOptions> = async (context, options, name) => {
  const definition = parseLiveSource(name);
  const { id: source } = definition;
  const company = parseOptions(options);
  const { outcome, reason, replies } = await askOnce(context, source, company);
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

function parseLiveSource(name: string): LiveSourceDefinition {
  const source = findLiveSource(name);
  if (source !== undefined) return source;
  throw new ValidationError(
    `${name} is no source that is asked over the network. \`nightshift sources\` lists them.`,
  );
}

/** The recorded replies are those of searches by domain. */
function parseOptions({ domain, name }: SmokeOptions): CompanyQuery {
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'rejected') throw new ValidationError(`--domain ${domain}: ${parsed.reason}.`);
  if (parsed.company.domain === null) throw new ValidationError(`--domain ${domain}: ${parsed.warning}.`);
  return parsed.company;
}

interface Asked {
  readonly outcome: string;
  /** Why the reply could not be read; null where it could. */
  readonly reason: string | null;
  readonly replies: readonly string[];
}

/** A search like every other: paced, on record, charged, and in the bill. */
async function askOnce({ app }: CommandContext, source: string, company: CompanyQuery): Promise<Asked> {
  const {
    lookups: { searchAds },
    sources: { checks: sourceChecks },
    accounts: { defaultId: accountId },
    config,
  } = await app();
  if (config.keepRawResponsesMs === null)
    throw new ValidationError(
      'A reply can be compared only where replies are kept: set NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS.',
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

/** A reply that cannot be read is what this is for. Any other trouble is thrown on. */
function unreadable(error: unknown): Omit<Asked, 'replies'> {
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
    `${source.id} answered (${outcome}), and its reply differs from the recorded ones:`,
    ...lines.slice(0, shownMax),
    ...(left > 0 ? [`  … and ${left} more: --json shows all`] : []),
  ].join('\n');
}

function sameText({ id, recordedShapes }: LiveSourceDefinition, outcome: string): string {
  if (outcome !== 'found') return `${id} answered something that cannot be read (${outcome}).`;
  return recordedShapes === undefined
    ? `${id} answered, and its reply could be read. There is no recorded shape to compare it with.`
    : `${id} answered, with the keys that its replies were recorded with.`;
}

function noAdsText(source: string, outcome: string, replies: readonly string[]): string {
  const called = replies.length === 0 ? 'No call was needed for that' : 'That is an answer';
  return (
    `${source} has no ads of that company (${outcome}). ${called}, and nothing was compared: name a company that it has ads of ` +
    'with --domain, and for a source that knows companies by name with --name too.'
  );
}
