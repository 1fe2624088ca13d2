import { randomBytes } from 'node:crypto';

const ending = '.nightshift.tmp';

/** Time without a change after which a temporary file has no writer any more, about a lease. Our choice. */
const abandonedMs = 30_000;

/**
 * Place of a file until it is complete, beside its final one and hidden; lists leave it out. Each write has its own: a process that has lost
 * its lease may still write the same file.
 */
export function temporaryPlace(place: string): string {
  const name = place.lastIndexOf('/') + 1;
  return `${place.slice(0, name)}.${place.slice(name)}.${randomBytes(6).toString('hex')}${ending}`;
}

/** True for names that `temporaryPlace` gives. */
export function isTemporaryName(name: string): boolean {
  return name.startsWith('.') && name.endsWith(ending);
}

export interface TemporaryFile {
  readonly name: string;
  readonly modifiedAt: Date | null;
}

/**
 * Names of the temporary files of a folder that a killed process has left.
 *
 * @param own name of one that has just been created: its time is the present one of the file system.
 */
export function abandonedNames(files: readonly TemporaryFile[], own: string): readonly string[] {
  const now = files.find(({ name }) => name === own)?.modifiedAt ?? null;
  if (now === null) return [];
  const isAbandoned = ({ name, modifiedAt }: TemporaryFile) =>
    isTemporaryName(name) && modifiedAt !== null && now.getTime() - modifiedAt.getTime() > abandonedMs;
  return files.filter(isAbandoned).map(({ name }) => name);
}
