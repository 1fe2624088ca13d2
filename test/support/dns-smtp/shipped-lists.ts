import { readList, type ListFolders, type ListName } from '../../../src/adapters/mail/lists/list-file.ts';
import { createMailLists } from '../../../src/adapters/mail/lists/mail-lists.ts';
import { mailListsFolder } from '../../../src/package-root.ts';

/** The shipped lists without corrections. */
export const shippedFolders: ListFolders = { shipped: mailListsFolder, own: null };

export const shippedLists = createMailLists(shippedFolders);

/** Entries of a shipped list, in order. */
export function shippedEntries(name: ListName): readonly string[] {
  return [...readList(name, shippedFolders).entries.keys()];
}
