import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { allDocuments, anchorsOf, linksOf, readDocument } from '../../support/docs/markdown.ts';

describe.each(allDocuments())('%s', (file) => {
  test('links only to existing files and headings', () => {
    const broken = linksOf(file).filter(({ path, anchor }) => {
      if (!existsSync(join(packageRoot, path))) return true;
      return anchor !== null && !anchorsOf(readDocument(path)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

test('anchors follow the rules of GitHub: lower case, hyphens, no punctuation, a number on repeats', () => {
  const text =
    '# E-mail addresses\n## `scan.changes`\n## [A link](x.md), too\n## What\n```sh\n# no\n```\n## What\n';
  expect(anchorsOf(text)).toEqual(['e-mail-addresses', 'scanchanges', 'a-link-too', 'what', 'what-1']);
});
