import type { AccountLimitStore } from '../../core/accounts/account-limits.ts';
import type { FileLimits } from '../columns/company-file.ts';

/** What a list of the account may hold, where it is less than any list may. */
export async function readFileLimits(
  limits: AccountLimitStore,
  accountId: number,
): Promise<Partial<FileLimits>> {
  const { rowsPerList: rowsMax } = await limits.read(accountId);
  return rowsMax === null ? {} : { rowsMax };
}
