import { createInterface } from 'node:readline';
import type {
  AdvertiserCandidate,
  CandidatePosition,
} from '../../../core/companies/advertiser-candidates.ts';
import type { AdvertiserRole } from '../../../core/companies/company-mapping.ts';
import { decide } from '../../../core/companies/review-candidate.ts';
import { ValidationError } from '../../../core/errors.ts';
import { counted, countsOf } from '../../../core/events/messages/text.ts';
import type { App } from '../../../app/app.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { nameCompany, showKey } from '../../context/name-company.ts';
import { Interrupted } from '../../process/interrupted.ts';
import { candidateJson, candidatesTable, candidateText } from './review-view.ts';

/** Options of `companies review`. */
export interface ReviewOptions extends AccountOptions {
  readonly company?: string;
  readonly limit?: string;
}

/** Candidates that are listed without `--limit`. Our choice. */
const listedMax = 100;
const limitMax = 10_000;

/** Lists the advertisers that wait for a decision; on a terminal, asks for each. */
export const reviewCompanies: Command<[], ReviewOptions> = async (context, options) => {
  const { output, stdin } = context;
  const limit = parseLimit(options.limit);
  const companyKey = options.company === undefined ? undefined : nameCompany(output, options.company).key;
  const { sources } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const isAsking =
    !output.isJson &&
    output.isInteractive &&
    'isTTY' in stdin &&
    stdin.isTTY === true &&
    output.stdout.isTTY === true;
  if (isAsking) return review(context, { ...sources, accountId, companyKey, limit: limit ?? Infinity });
  const candidates = await sources.candidates.list(accountId, { companyKey, limit: limit ?? listedMax });
  const { advertisers } = await sources.candidates.count(accountId, { companyKey });
  output.result(candidates.map(candidateJson), () =>
    candidates.length === 0 ? nothingText : candidatesTable(candidates, output.tableColumns()),
  );
  const more = advertisers - candidates.length;
  if (more > 0) output.note(`${counted(more, 'more advertiser')}: raise --limit to list them.`);
  return exitCodes.done;
};

const nothingText =
  'No advertiser waits for a decision. Searches report those that may belong to a company and may not.';

function parseLimit(text: string | undefined): number | null {
  if (text === undefined) return null;
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= limitMax) return limit;
  throw new ValidationError(
    `Invalid --limit "${text}". Use a number from 1 to ${limitMax.toLocaleString('en-US')}.`,
  );
}

interface Review extends Pick<App['sources'], 'candidates' | 'companies'> {
  readonly accountId: number;
  readonly companyKey: string | undefined;
  readonly limit: number;
}

type Choice = AdvertiserRole | 'skip' | 'quit';

const choices: Readonly<Record<string, Choice>> = {
  a: 'allow',
  accept: 'allow',
  g: 'agency',
  agency: 'agency',
  d: 'deny',
  deny: 'deny',
  s: 'skip',
  skip: 'skip',
  q: 'quit',
  quit: 'quit',
};
const question = '[a]ccept  a[g]ency  [d]eny  [s]kip  [q]uit';
const helpText =
  'a: the company or a part of it, its ads count as own. g: an agency that advertises for it. d: another business, its ads are left out. ' +
  's: decide later. q: stop here.';
const fromHere = { actor: 'cli', address: null };

/** Asks for one candidate after the other. Each decision is stored at once, so that an interruption keeps it. */
async function review(
  context: CommandContext,
  { accountId, companyKey, limit, ...stores }: Review,
): Promise<number> {
  const { output } = context;
  const total = Math.min(limit, (await stores.candidates.count(accountId, { companyKey })).advertisers);
  const counts = { allow: 0, agency: 0, deny: 0, skip: 0 };
  const decided = new Set<string>();
  const answers = readAnswers(context);
  try {
    let at = 0;
    for await (const candidate of candidatesFrom(stores.candidates, { accountId, companyKey, limit })) {
      at += 1;
      output.note(
        `\n${at} of ${Math.max(at, total)}: ${showKey(candidate.companyKey).company}\n${candidateText(candidate)}`,
      );
      const choice = await ask(context, answers);
      if (choice === 'quit') break;
      counts[choice] += 1;
      if (choice === 'skip') continue;
      await stores.companies.map(accountId, [decide(candidate, choice)], fromHere);
      decided.add(candidate.companyKey);
    }
  } catch (error) {
    if (!context.signal.aborted) throw error;
    throw new Interrupted(`Stopped. ${summaryOf(counts)}${againText([...decided])}`, { cause: error });
  } finally {
    answers.close();
  }
  const { advertisers: left } = await stores.candidates.count(accountId, { companyKey });
  output.result({ ...counts, left }, () => {
    if (total === 0) return nothingText;
    return output.commands(
      `\n${summaryOf(counts)} ${counted(left, 'advertiser')} left.${againText([...decided])}`,
    );
  });
  return exitCodes.done;
}

/** Candidates page by page: decided ones leave the list, skipped ones are behind the position. */
async function* candidatesFrom(
  store: Review['candidates'],
  { accountId, companyKey, limit }: Pick<Review, 'accountId' | 'companyKey' | 'limit'>,
): AsyncGenerator<AdvertiserCandidate> {
  let after: CandidatePosition | undefined;
  for (let left = limit; left > 0;) {
    const page = await store.list(accountId, { companyKey, after, limit: Math.min(left, listedMax) });
    yield* page;
    after = page.at(-1);
    if (after === undefined) return;
    left -= page.length;
  }
}

interface Answers {
  /** The next typed line; null at the end of the input. */
  readonly next: () => Promise<string | null>;
  readonly close: () => void;
}

/** Lines of the terminal. They end with Ctrl-D. */
function readAnswers({ stdin, signal }: CommandContext): Answers {
  const lines = createInterface({ input: stdin, crlfDelay: Infinity });
  const iterator = lines[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_resolve, reject) => {
    const end = () => reject(new Error('The review was interrupted.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  // Without a question, nothing waits for it.
  aborted.catch(() => undefined);
  return {
    next: async () => {
      const line = await Promise.race([iterator.next(), aborted]);
      return line.done === true ? null : line.value;
    },
    close: () => lines.close(),
  };
}

async function ask({ output }: CommandContext, answers: Answers): Promise<Choice> {
  for (;;) {
    output.note(question);
    output.stderr.write('> ');
    const line = await answers.next();
    if (line === null) return 'quit';
    const choice = choices[line.trim().toLowerCase()];
    if (choice !== undefined) return choice;
    output.note(helpText);
  }
}

function summaryOf({ allow, agency, deny, skip }: Readonly<Record<Exclude<Choice, 'quit'>, number>>): string {
  const parts = countsOf([
    [allow, 'accepted'],
    [agency, agency === 1 ? 'agency' : 'agencies'],
    [deny, 'denied'],
    [skip, 'skipped'],
  ]);
  return parts === '' ? 'Nothing was decided.' : `${parts}. Decisions are stored.`;
}

/** Companies that are named in the closing message, at most. */
const namedMax = 3;

/** Explains how to look up the companies again. Earlier answers of theirs are not reused. */
function againText(companyKeys: readonly string[]): string {
  if (companyKeys.length === 0) return '';
  const commands = companyKeys.slice(0, namedMax).map((key) => {
    const { company, by } = showKey(key);
    return `  nightshift search --${by} ${by === 'name' ? JSON.stringify(company) : company}`;
  });
  return [
    '\nThe next lookup of these companies uses the decisions. To look them up now:',
    ...commands,
    'or load their file again: nightshift enrich FILE --again',
  ].join('\n');
}
