import { ValidationError } from '../errors.ts';
import type { BatchOriginKind } from './batch-origin.ts';

export const ownerKinds = ['user', 'key', 'cli'] as const;

/** Author of a batch. Scans and files of inboxes have none. */
export interface BatchOwner {
  readonly kind: (typeof ownerKinds)[number];
  /** The id of a user or of a key; `cli` for commands. */
  readonly id: string;
  /** Login of the user, or name of the key; null for commands. */
  readonly name: string | null;
}

/** Changes of people to the labels of a batch. Absent fields stay. */
export interface BatchLabelChanges {
  readonly name?: string;
  /** Replaces all tags. */
  readonly tags?: readonly string[];
  readonly archived?: boolean;
}

/** Maximum length of a name, in characters. */
export const batchNameCharsMax = 200;
/** Maximum number of tags of a batch, and maximum length of one, in characters. */
export const tagsMax = 20;
export const tagCharsMax = 50;

/** Parses a name of a batch: one line, without spaces around it. @throws ValidationError */
function parseBatchName(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > batchNameCharsMax || hasControl(name)) {
    throw new ValidationError(`name: must have 1 to ${batchNameCharsMax} characters, on one line.`);
  }
  return name;
}

/** Parses tags: in the given order, without spaces around them, each once. Case matters for display only. @throws ValidationError */
function parseTags(texts: readonly string[]): readonly string[] {
  const tags = new Map<string, string>();
  for (const text of texts) {
    const tag = text.trim();
    if (tag === '' || [...tag].length > tagCharsMax || tag.includes(',') || hasControl(tag)) {
      throw new ValidationError(`tags: each must have 1 to ${tagCharsMax} characters, without a comma.`);
    }
    const key = tag.toLowerCase();
    if (!tags.has(key)) tags.set(key, tag);
  }
  if (tags.size > tagsMax) throw new ValidationError(`tags: a batch has at most ${tagsMax}.`);
  return [...tags.values()];
}

/** Parses changes of a batch; an undefined field is none. @throws ValidationError naming the field. */
export function parseLabelChanges({ name, tags, archived }: GivenChanges): BatchLabelChanges {
  return {
    ...(name === undefined ? {} : { name: parseBatchName(name) }),
    ...(tags === undefined ? {} : { tags: parseTags(tags) }),
    ...(archived === undefined ? {} : { archived }),
  };
}

type GivenChanges = { readonly [Field in keyof BatchLabelChanges]: BatchLabelChanges[Field] | undefined };

function hasControl(text: string): boolean {
  return /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text);
}

const authorKinds = { usr: 'user', key: 'key', cli: 'cli' } as const;

/** Returns the kind of an author by its id; null for an unknown kind of id. */
export function ownerKindOf(id: string): BatchOwner['kind'] | null {
  const prefix = /^(usr|key)_/.exec(id)?.[1] ?? id;
  return prefix === 'usr' || prefix === 'key' || prefix === 'cli' ? authorKinds[prefix] : null;
}

/** Returns the origin of a batch that this author uploads. */
export function originOf(authorId: string): BatchOriginKind {
  const origins = { user: 'upload', key: 'api', cli: 'cli' } as const;
  return origins[ownerKindOf(authorId) ?? 'key'];
}
