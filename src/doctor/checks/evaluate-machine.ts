import { sizeText } from '../../core/size-text.ts';
import type { FolderInfo } from './folder-info.ts';
import { ok, problem, warning, type Finding } from './check-result.ts';

/** Oldest supported Node.js, as in `package.json`. */
const nodeOldest = [20, 19] as const;
/** Newest major version without security fixes, and the date of its end of life. */
const nodeEnded = { major: 20, since: '30 April 2026' };

const spaceBytesWarn = 2e9;
const spaceBytesMin = 200e6;

/** Checks the version of Node.js, such as `22.11.0`. */
export function evaluateNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = nodeOldest;
  const remedy = 'Install Node.js 22 or 24: https://nodejs.org';
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    return problem('Node.js', `${version}, older than ${nodeOldest.join('.')}`, remedy);
  }
  if (major > nodeEnded.major) return ok('Node.js', version);
  return warning('Node.js', `${version}, without security fixes since ${nodeEnded.since}`, remedy);
}

/** Checks that the home folder is usable. */
export function evaluateHome({ folder, isWritable, exists }: FolderInfo): Finding {
  if (isWritable) return ok('home folder', `${folder}${exists ? '' : ', not created yet'}`);
  return problem(
    'home folder',
    `${folder} is not writable for this user`,
    `Change its owner (\`chown -R "$USER" ${folder}\`), or set NIGHTSHIFT_HOME to another folder.`,
  );
}

/** Checks that the disk under a folder has room for an overnight run: 2 GB, and at least 200 MB (our choice). */
export function evaluateSpace(folder: string, freeBytes: number): Finding {
  const found = `${sizeText(freeBytes)} free under ${folder}`;
  if (freeBytes >= spaceBytesWarn) return ok('disk space', found);
  const remedy = 'Free some space, or set NIGHTSHIFT_HOME to a folder on another disk.';
  return (freeBytes < spaceBytesMin ? problem : warning)('disk space', found, remedy);
}
