import type { AccountLimitStore } from '../../core/accounts/account-limits.ts';
import type { FileLimits } from '../columns/company-file.ts';

/** Reads the file limits of an account, where it has its own. */
export async function readFileLimits(
  limits: AccountLimitStore,
  accountId: number,
): Promise<Partial<FileLimits>> {
  const { rowsPerList: rowsMax } = await limits.read(accountId);
  return rowsMax === null ? {} : { rowsMax };
}
