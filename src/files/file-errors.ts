import { Misconfigured, ValidationError } from '../core/errors.ts';

/**
 * Runs an operation on the file that will be at `path`; errors of the file system become errors that state the remedy.
 *
 * @throws ValidationError when the name cannot be used: its folder is missing, it is too long, it is a folder.
 * @throws Misconfigured when the machine prevents it: no permission, no space left. Other errors pass unchanged.
 */
export async function explainingError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explained(error, path);
  }
}

function explained(cause: unknown, path: string): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const advice = typeof code === 'string' ? remedies.get(code) : undefined;
  if (advice === undefined) return cause;
  const message = `Cannot write ${path}: ${advice.text}`;
  return advice.ours
    ? new Misconfigured(message, { cause })
    : new ValidationError(message, { cause, where: path });
}

interface Remedy {
  readonly text: string;
  /** True when the operator has to fix the machine; otherwise another name helps. */
  readonly ours: boolean;
}

const missing: Remedy = {
  ours: false,
  text: 'its folder does not exist. Create the folder or name another.',
};
const forbidden: Remedy = {
  ours: true,
  text: 'this user may not write there. Name another folder, or have the permission changed.',
};
const full: Remedy = {
  ours: true,
  text: 'no space is left. Free some, or name a folder on another disk; a name ending in .gz takes less.',
};

/** By the system's error codes. A map, because a code is untrusted text and an object has inherited keys. */
const remedies: ReadonlyMap<string, Remedy> = new Map([
  ['ENOENT', missing],
  ['ENOTDIR', { ours: false, text: 'a part of its path is a file, not a folder. Name another folder.' }],
  ['EISDIR', { ours: false, text: 'a folder has that name. Name a file in it.' }],
  ['ENAMETOOLONG', { ours: false, text: 'its name is too long. Use a shorter one.' }],
  ['ELOOP', { ours: false, text: 'it is a link that leads back to itself. Name another file.' }],
  ['EACCES', forbidden],
  ['EPERM', forbidden],
  ['EROFS', { ours: true, text: 'that disk can only be read. Name a folder on another disk.' }],
  ['ENOSPC', full],
  ['EDQUOT', full],
  ['EFBIG', { ours: true, text: 'files of this size are not allowed there. Name a folder on another disk.' }],
]);
