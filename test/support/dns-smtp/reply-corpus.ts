import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';

/** Replies with their acceptable verdicts, if they exist beside the checkout. */
const shared = join(packageRoot, '..', 'shared', 'corpora', 'email', 'smtp-replies.json');

export interface LabelledReply {
  readonly id: string;
  readonly lines: readonly string[];
  /** Verdicts, each of which is acceptable. */
  readonly accept: readonly string[];
}

/** Reads the labelled replies to RCPT; null if they do not exist beside the checkout. */
export function readReplyCorpus(): readonly LabelledReply[] | null {
  if (!existsSync(shared)) return null;
  const { cases } = JSON.parse(readFileSync(shared, 'utf8')) as { readonly cases: readonly CorpusRow[] };
  return cases.map((row) => ({ id: row.id, accept: row.accept, lines: asReply(row.reply, row.file_code) }));
}

interface CorpusRow {
  readonly id: string;
  readonly file_code: number;
  readonly reply: string;
  readonly accept: readonly string[];
}

/** A manual prints replies in readable form: some lack their code, or end with a continuation line. */
function asReply(text: string, code: number): readonly string[] {
  const texts = text.split(/\r?\n/).map((line) => line.replace(new RegExp(`^${code}[ -]`), ''));
  return texts.map((line, index) => `${code}${index === texts.length - 1 ? ' ' : '-'}${line}`);
}
