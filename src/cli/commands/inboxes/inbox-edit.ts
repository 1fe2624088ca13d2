import { Conflict, NotFound, ValidationError } from '../../../core/errors.ts';
import {
  assertTermsFit,
  parseInboxName,
  standardInboxTerms,
  type Inbox,
  type InboxTerms,
} from '../../../core/inboxes/inbox.ts';
import type { InboxAccess } from '../../../core/inboxes/inbox-store.ts';
import { machineZone } from '../../../core/time/time-zone.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { parsePlace } from '../../context/parse-place.ts';
import { readCredentials } from '../../context/read-credentials.ts';
import { chooseSources } from '../batches/load-file.ts';
import { shellWord } from '../../process/own-command.ts';
import { parseInboxTerms, type InboxTermOptions } from './inbox-terms.ts';
import { foundText, inboxDetails, inboxJson, type Found } from './inbox-view.ts';

/** Options of `inbox add` and `inbox edit`. */
export type InboxOptions = AccountOptions & InboxTermOptions;

/** Adds an inbox, after it has opened the location. */
export const addInbox: Command<[string, string], InboxOptions> = async (context, options, text, place) => {
  const name = parseInboxName(text, 'name');
  const location = parsePlace(place, options);
  const given = await parseInboxTerms(options, context.config().catalog);
  const credentials = await readCredentials(context, location.kind, options.credentials);
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  await rejectTakenName(context, accountId, name);
  const terms = {
    ...standardInboxTerms,
    ...given,
    ...zoneOf(context, given),
    sources: await sourcesOf(context, given),
    name,
    location,
  };
  assertTermsFit(terms);
  await rejectSources(context, terms);
  const access = { credentials, isOperators: true };
  const found = await app.inboxes.tryLocation({ ...terms, ...access }, context.signal);
  const inbox = await app.inboxes.store.add(accountId, { ...terms, location: found.location }, access);
  show(context, inbox, found);
  return exitCodes.done;
};

/** Changes the given settings of an inbox. Opens the location again when it or its credentials change. */
export const editInbox: Command<[string], InboxOptions> = async (context, options, name) => {
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { store } = app.inboxes;
  const before = await store.read(accountId, name);
  const moved = options.location === undefined ? {} : { location: parsePlace(options.location, options) };
  if (options.location === undefined) rejectPlaceOptions(options);
  const changes = { ...(await parseInboxTerms(options, context.config().catalog, before)), ...moved };
  const access = await changedAccess(context, {
    options,
    before,
    accountId,
    isElsewhere: 'location' in moved,
  });
  if (access === undefined && Object.keys(changes).length === 0)
    throw new ValidationError('No changes given. See: nightshift inbox edit --help');
  const after = { ...before, ...changes };
  assertTermsFit(after);
  await rejectSources(context, after);
  const tries = access !== undefined || changes.query !== undefined || changes.newerBy !== undefined;
  const found = tries
    ? await app.inboxes.tryLocation(
        { ...after, ...(access ?? (await store.readAccess(accountId, before.publicId))) },
        context.signal,
      )
    : null;
  const location = found === null ? {} : { location: found.location };
  const inbox = await store.edit(accountId, before.publicId, { ...changes, ...location }, access);
  show(context, inbox, found);
  return exitCodes.done;
};

interface Edited {
  readonly options: InboxOptions;
  readonly before: Inbox;
  readonly accountId: number;
  readonly isElsewhere: boolean;
}

/** Secrets for another place are never those of the earlier one, which its server would see. */
async function changedAccess(
  context: CommandContext,
  { options, before, isElsewhere }: Edited,
): Promise<InboxAccess | undefined> {
  if (!isElsewhere && options.credentials === undefined) return undefined;
  const { kind } = options.location === undefined ? before.location : parsePlace(options.location, options);
  return { credentials: await readCredentials(context, kind, options.credentials), isOperators: true };
}

function rejectPlaceOptions({ endpoint, s3Region, hostKey }: InboxOptions): void {
  if ([endpoint, s3Region, hostKey].every((each) => each === undefined)) return;
  throw new ValidationError(
    '--endpoint, --s3-region and --host-key are parts of the location. Name it as well: --location LOCATION.',
  );
}

/** @throws Conflict that names the command to change the existing inbox. */
async function rejectTakenName({ app }: CommandContext, accountId: number, name: string): Promise<void> {
  const { inboxes } = await app();
  const existing = await inboxes.store.read(accountId, name).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (existing === null) return;
  throw new Conflict(
    `There is an inbox "${name}" already. Choose another name. To change it: nightshift inbox edit ${shellWord(name)}`,
  );
}

/** Returns the given sources, else the default ones with a note, because the inbox keeps them; none for an inbox of addresses. */
async function sourcesOf(
  context: CommandContext,
  { sources, operations }: Partial<InboxTerms>,
): Promise<readonly string[]> {
  if (sources !== undefined) return sources;
  if (operations?.includes('ads_search') === false) return [];
  const chosen = await chooseSources(context, undefined);
  const which = chosen.length === 1 ? 'the default source' : 'the default sources';
  context.output.note(`Using ${which}, ${chosen.join(', ')}. Choose others with --source.`);
  return chosen;
}

/** Returns the given time zone, or that of the machine. A note says so only for a pattern in which it matters. */
function zoneOf(
  { output }: CommandContext,
  { timeZone, cron }: Partial<InboxTerms>,
): { readonly timeZone: string } {
  if (timeZone !== undefined) return { timeZone };
  const zone = machineZone();
  if (cron !== undefined && !/^\S+ \* \* \* \*$/.test(cron))
    output.note(`Using the time zone of this machine, ${zone}. Set another with --tz.`);
  return { timeZone: zone };
}

async function rejectSources(
  { app }: CommandContext,
  { sources, search }: Pick<InboxTerms, 'sources' | 'search'>,
): Promise<void> {
  if (sources.length === 0) return;
  const { registry } = (await app()).sources;
  await registry.check(sources, search);
  await registry.named(sources);
}

function show({ output }: CommandContext, inbox: Inbox, found: Found | null): void {
  const json = {
    ...inboxJson(inbox),
    ...(found === null
      ? {}
      : { found: found.columns ?? found.files.map(({ path, bytes }) => ({ path, bytes })) }),
  };
  output.result(json, () =>
    output.commands(
      [
        inboxDetails(inbox),
        ...(found === null ? [] : [foundText(found)]),
        `Files are loaded only while \`nightshift up\` or \`nightshift work\` is running.`,
      ].join('\n'),
    ),
  );
}
