import { visibleText } from '../../../core/reports/visible-text.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { countsText, fileJson, inboxDetails, inboxJson } from './inbox-view.ts';

/** Looks into an inbox. This process loads its files; any worker runs the lookups. */
export const pollInbox: Command<[string], AccountOptions> = async (context, options, name) => {
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const { publicId } = await inboxes.store.pollNow(accountId, name);
  await inboxes.poll(publicId, context.signal);
  if (context.signal.aborted) return exitCodes.interrupted;
  const inbox = await inboxes.store.read(accountId, publicId);
  const { lastError, files } = inbox;
  context.output.result(inboxJson(inbox), () =>
    context.output.commands(
      [
        ...(lastError === null ? [] : [`Error: ${visibleText(lastError)}`]),
        `Files: ${countsText(inbox)}. List them with: nightshift inbox files ${publicId}`,
        ...(files.waiting === 0
          ? []
          : ['Waiting files may still be written. They are looked at again after the settle time.']),
      ].join('\n'),
    ),
  );
  return lastError === null ? exitCodes.done : exitCodes.someFailed;
};

/** Makes a failed file ready once more. */
export const retryFile: Command<[string, string], AccountOptions> = async (context, options, name, path) => {
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const file = await inboxes.store.retry(accountId, name, path);
  context.output.result(
    fileJson(file),
    () => `${visibleText(file.path)} is ready, and loaded with the next look.`,
  );
  return exitCodes.done;
};

/** Pauses an inbox: nothing further is loaded. */
export const pauseInbox: Command<[string], AccountOptions> = async (context, options, name) => {
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return show(context, await inboxes.store.pause(accountId, name));
};

/** Resumes an inbox. */
export const resumeInbox: Command<[string], AccountOptions> = async (context, options, name) => {
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  return show(context, await inboxes.store.resume(accountId, name));
};

/** Removes an inbox permanently. */
export const removeInbox: Command<[string], AccountOptions> = async (context, options, name) => {
  const { inboxes } = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const inbox = await inboxes.store.read(accountId, name);
  await inboxes.store.remove(accountId, inbox.publicId);
  context.output.result(
    { id: inbox.publicId, name: inbox.name, removed: true },
    () => `${inbox.name} removed. Its batches and the files in its location are kept.`,
  );
  return exitCodes.done;
};

function show({ output }: CommandContext, inbox: Parameters<typeof inboxJson>[0]): number {
  output.result(inboxJson(inbox), () => inboxDetails(inbox));
  return exitCodes.done;
}
