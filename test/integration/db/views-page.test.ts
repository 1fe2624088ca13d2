import { expect, test } from 'vitest';
import { openTestDatabase } from '../../support/db/database.ts';
import { readDocument } from '../../support/docs/markdown.ts';
import { databasePages } from '../../support/docs/reference/pages.ts';

test.each(Object.entries(databasePages))(
  '%s is up to date; `npm run docs` updates it',
  async (file, pageText) => {
    const { owner } = await openTestDatabase();
    expect(readDocument(file)).toBe(await pageText(owner.pool));
  },
);
