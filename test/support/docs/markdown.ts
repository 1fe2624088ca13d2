import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';

/** A fenced code block of a document. */
export interface CodeBlock {
  /** Path of the document from the root of the project. */
  readonly file: string;
  /** Language as the fence names it, such as `sh`. */
  readonly language: string;
  readonly text: string;
}

/** A link of a document to a file of the project. */
export interface DocumentLink {
  /** Path of the document from the root of the project. */
  readonly from: string;
  /** Path of the target from the root of the project. */
  readonly path: string;
  /** Heading in the target, as GitHub makes anchors; null: the file itself. */
  readonly anchor: string | null;
}

/** Documents for users, in the order in which a newcomer reads them. Their code blocks run as tests. */
export function userDocuments(): readonly string[] {
  const guides = readdirSync(join(packageRoot, 'docs/guides')).filter((name) => name.endsWith('.md'));
  return ['README.md', 'docs/getting-started.md', ...guides.sort().map((name) => `docs/guides/${name}`)];
}

/** Every Markdown file of the project, from its root. */
export function allDocuments(): readonly string[] {
  const inRoot = readdirSync(packageRoot).filter((name) => name.endsWith('.md'));
  const inFolders = ['docs', 'examples'].flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => posix.join(folder, name)),
  );
  return [...inRoot, ...inFolders];
}

/** Text of a document. */
export function readDocument(file: string): string {
  return readFileSync(join(packageRoot, file), 'utf8');
}

/** Code blocks of a document, from top to bottom. */
export function codeBlocksOf(file: string): readonly CodeBlock[] {
  return [...readDocument(file).matchAll(/^```([a-z-]+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    file,
    language: match[1] ?? '',
    text: match[2] ?? '',
  }));
}

/** Links and pictures of a document that lead to files of the project. Links to other sites are left out. */
export function linksOf(file: string): readonly DocumentLink[] {
  return [...withoutCode(readDocument(file)).matchAll(/\]\(([^()\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = null] = target.split('#');
      return { from: file, path: path === '' ? file : posix.join(dirname(file), path), anchor };
    });
}

/** Anchors of a document's headings, as GitHub makes them: lower case, spaces as hyphens, no punctuation, a number on repeats. */
export function anchorsOf(text: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...withoutFences(text).matchAll(/^#{1,6} (.+)$/gm)].map((match) => {
    const anchor = (match[1] ?? '')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

/** Rows of a document's tables, each as its cells with one space around, however the table is aligned. */
export function tableRowsOf(file: string): readonly string[] {
  return readDocument(file)
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.replace(/ +\|/g, ' |').replace(/\| +/g, '| '));
}

function withoutFences(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}

function withoutCode(text: string): string {
  return withoutFences(text).replace(/`[^`\n]*`/g, '');
}
