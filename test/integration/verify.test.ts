import { describe, expect, test } from 'vitest';
import { createVerifyStore } from '../../db/verify/verify-store.ts';
import { openTestDatabase } from '../support/database.ts';
import { buildWorld } from '../support/world.ts';

describe('a healthy record', () => {
  test('holds', async () => {
    const database = await openTestDatabase();
    await buildWorld(database.app);
    const t = performance.now();
    const reports = await createVerifyStore(database.app.sql).check();
    console.log(performance.now() - t, reports);
    expect(reports.filter((report) => report.status === 'broken')).toEqual([]);
  });
});
