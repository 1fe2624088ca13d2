import type { AccountLimitStore } from '../../core/accounts/account-limits.ts';
import type { FileLimits } from '../columns/company-file.ts';

/** Reads the account's file limits, where they are below the general ones. */
export async function readFileLimits(
  limits: AccountLimitStore,
  accountId: number,
): Promise<Partial<FileLimits>> {
  const { rowsPerBatch: rowsMax } = await limits.read(accountId);
  return rowsMax === null ? {} : { rowsMax };
}
