/** Parts of an account that change independently of each other. */
export const accountParts = [
  'batches',
  'schedules',
  'changes',
  'balance',
  'notifications',
  'sources',
] as const;
export type AccountPart = (typeof accountParts)[number];

/**
 * Revisions of the parts of an account: opaque texts. A part has another revision after a change, and the same one in all processes while it
 * is unchanged.
 */
export type AccountRevisions = Readonly<Record<AccountPart, string>>;

/** Port: the revisions of accounts. */
export interface RevisionStore {
  read(accountId: number): Promise<AccountRevisions>;
}
