import { ValidationError } from '../../../core/errors.ts';
import type { Landing } from '../../../core/destinations/landing.ts';
import type { LandingReplay } from '../../../core/destinations/destination-store.ts';
import type { Destination } from '../../../core/destinations/destination.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { shellWord } from '../../process/own-command.ts';
import { parsePlace } from '../../context/parse-place.ts';
import { readCredentials } from '../../context/read-credentials.ts';
import {
  parseFormatOptions,
  parseReplay,
  parseScope,
  type AddDestinationOptions,
  type EditDestinationOptions,
  type ReplayLandingOptions,
} from './destination-options.ts';
import {
  destinationJson,
  destinationsText,
  destinationText,
  landingJson,
  landingTable,
  stateText,
} from './destination-view.ts';

/** Options of `destination landings`. */
export interface LandingsOptions extends AccountOptions {
  readonly state?: Landing['state'];
  readonly batch?: string;
  readonly limit: string;
}

const fromHere = { actor: 'cli', address: null };

/** Lists the destinations of the account. */
export const listDestinations: Command<[], AccountOptions> = async (context, options) => {
  const { service, accountId } = await open(context, options);
  const found = await service.list(accountId);
  context.output.result(found.map(destinationJson), () =>
    context.output.commands(destinationsText(found, context.output.tableColumns())),
  );
  return exitCodes.done;
};

/** Shows a destination. */
export const showDestination: Command<[string], AccountOptions> = async (context, options, name) => {
  const { service, accountId } = await open(context, options);
  return show(context, await service.find(accountId, name));
};

/** Adds a destination, after it has written to the location. */
export const addDestination: Command<[string, string], AddDestinationOptions> = async (
  context,
  options,
  name,
  address,
) => {
  const location = parsePlace(address, options);
  const scope = parseScope(options);
  const { batch } = await withBatch(context, options);
  const request = {
    ...parseFormatOptions(options),
    name,
    scope: batch === undefined ? scope : ({ kind: 'batch', batch } as const),
    location,
    credentials: await readCredentials(context, location.kind, options.credentials),
    isOfAccount: false,
  };
  const { service, accountId } = await open(context, options);
  const created = await service.create(accountId, request, fromHere, { signal: context.signal });
  const { location: stored } = created;
  if (stored.kind === 'sftp' && location.kind === 'sftp' && location.hostKey === null) {
    context.output.note(
      `The server shows the key ${stored.hostKey ?? ''}. Compare it with that of its operator (ssh-keygen -l).`,
    );
  }
  return show(context, created);
};

/** Changes a destination. */
export const editDestination: Command<[string], EditDestinationOptions> = async (context, options, name) => {
  const { service, accountId } = await open(context, options);
  const { location } = await service.find(accountId, name);
  const credentials =
    options.credentials === undefined
      ? undefined
      : await readCredentials(context, location.kind, options.credentials);
  const edit = { ...parseFormatOptions(options), name: options.name, credentials };
  if (Object.values(edit).every((value) => value === undefined)) {
    throw new ValidationError('Choose what to change: --name, --credentials, --format, --shape …');
  }
  return show(context, await service.change(accountId, name, edit, fromHere));
};

/** Lists the landings of a destination. */
export const listLandings: Command<[string], LandingsOptions> = async (context, options, name) => {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw new ValidationError(`--limit ${options.limit}: must be an integer from 1 to 1000.`);
  }
  const { service, accountId } = await open(context, options);
  const { batch = null } = await withBatch(context, options);
  const page = { limit, before: null, state: options.state ?? null, batch };
  const found = (await service.listLandings(accountId, name, page)) ?? [];
  context.output.result(found.map(landingJson), () =>
    found.length === 0
      ? context.output.commands(noLandingsText(name, page))
      : landingTable(found, context.output.tableColumns()),
  );
  return exitCodes.done;
};

function noLandingsText(
  name: string,
  { state, batch }: { readonly state: string | null; readonly batch: unknown },
): string {
  if (state !== null || batch !== null)
    return `No landing matches. List all with: nightshift destination landings ${shellWord(name)}`;
  return `No landings yet. Batches land when they finish; land older ones with: nightshift destination replay ${shellWord(name)}`;
}

/** Lands batches again. */
export const replayDestination: Command<[string], ReplayLandingOptions> = async (context, options, name) => {
  const replay = parseReplay(await withBatch(context, options));
  const { service, accountId } = await open(context, options);
  const replayed = await service.replay(accountId, name, replay);
  const { state } = await service.find(accountId, name);
  context.output.result({ replayed }, () => context.output.commands(replayText(replay, replayed, state)));
  return exitCodes.done;
};

function replayText({ kind }: LandingReplay, replayed: number, state: Destination['state']): string {
  if (replayed === 0) {
    return kind === 'batch'
      ? 'Nothing to land.'
      : 'Nothing to land. For a batch that landed use --batch bat_….';
  }
  const when =
    state === 'active'
      ? 'They are written while `nightshift up` or `nightshift work` is running'
      : 'Enable the destination to write them';
  return `${counted(replayed, 'landing')} queued. ${when}.`;
}

/** Tests a destination and shows the result. */
export const testDestination: Command<[string], AccountOptions> = async (context, options, name) => {
  const { service, accountId } = await open(context, options);
  const { error } = await service.test(accountId, name, context.signal);
  context.output.result({ writable: error === null, error }, () =>
    error === null ? 'Works: a small test was written and removed.' : `Does not work: ${error}`,
  );
  return error === null ? exitCodes.done : exitCodes.someFailed;
};

/** Enables a destination. */
export const enableDestination: Command<[string], AccountOptions> = (context, options, name) =>
  setState(context, options, name, 'active');

/** Disables a destination. */
export const disableDestination: Command<[string], AccountOptions> = (context, options, name) =>
  setState(context, options, name, 'disabled');

/** Removes a destination. */
export const removeDestination: Command<[string], AccountOptions> = async (context, options, name) => {
  const { service, accountId } = await open(context, options);
  const removed = await service.remove(accountId, name, fromHere);
  context.output.result(destinationJson(removed), () => `${removed.name} removed. What landed stays.`);
  return exitCodes.done;
};

async function setState(
  context: CommandContext,
  options: AccountOptions,
  name: string,
  state: 'active' | 'disabled',
): Promise<number> {
  const { service, accountId } = await open(context, options);
  const changed = await service.change(accountId, name, { state }, fromHere);
  context.output.result(destinationJson(changed), () => `${changed.name} is ${stateText(changed)}.`);
  return exitCodes.done;
}

function show({ output }: CommandContext, destination: Destination): number {
  output.result(destinationJson(destination), () => destinationText(destination));
  return exitCodes.done;
}

/** Replaces the name of `--batch` by the id. */
async function withBatch<Options extends AccountOptions & { readonly batch?: string }>(
  context: CommandContext,
  options: Options,
): Promise<Options> {
  if (options.batch === undefined) return options;
  return { ...options, batch: (await chooseBatch(context, options, options.batch)).publicId };
}

async function open(context: CommandContext, options: AccountOptions) {
  const {
    destinations: { service },
  } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return { service, accountId };
}
