import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { runQuery } from '../../../../db/queries/run-query.ts';
import { examplesFolder } from '../../../package-root.ts';
import { toBatchBody } from '../../../api/v1/batches/batch-body.ts';
import { batchText, exitCodeOfBatch } from '../batches/batch-view.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { exportFile } from '../batches/export-file.ts';
import { enrichFile } from '../batches/enrich.ts';
import { changeJson, countsText } from '../schedules/change-view.ts';
import { formatResult, toObjects } from '../sql/sql.ts';
import { changesTable, readDemoChanges, scanTwoDays } from './demo-changes.ts';

const query = `select company_key, ads_count, credits
from reports.lookups where outcome = 'found'
  and batch = '`;

const nextSteps = [
  ['nightshift verify', 'check that nothing was lost or charged twice'],
  ['nightshift search --domain nike.com --source sample', 'search the ads of one company'],
  ['nightshift check YOUR.csv', 'check the columns, rows and maximum cost of your own file'],
  ['nightshift snapshot load EXPORT.ndjson.gz', 'load real ads from an export of the public dataset'],
  ['nightshift enrich YOUR.csv -o OUT.csv', 'enrich your own file'],
] as const;

/** Next steps once there are changes. */
const changeSteps = [
  ['nightshift schedule resume demo', 'scan the companies every night: the sample changes every day'],
  ['nightshift up', 'see ads, changes and charts in the console'],
] as const;

/** Enriches the bundled sample file with generated ads, and shows their changes since yesterday. Needs no configuration and costs nothing. */
export const demo: Command<[], object> = async (context) => {
  const app = await context.app();
  const input = join(examplesFolder, 'companies.csv');
  try {
    await scanTwoDays(context, input);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    context.output.note('Stopped. To continue, run the same command again.');
    return exitCodes.interrupted;
  }
  const batch = await enrichFile(context, input, { source: 'sample' });
  if (batch === null) return exitCodes.interrupted;
  const changes = await readDemoChanges(context);
  const file = join(app.config.home, 'demo.csv');
  // With DATABASE_URL there is no private server, which otherwise creates the folder.
  await mkdir(app.config.home, { recursive: true });
  await exportFile(context, batch, file, {});
  const sql = `${query}${batch.publicId}'\norder by ads_count desc, company_key limit 5`;
  const answer = await runQuery(app.sql.openReader(), sql);
  const { colors, commands } = context.output;
  const columns = context.output.tableColumns();
  const body = { ...toBatchBody(batch), output: file, sql, answer: toObjects(answer) };
  context.output.result({ ...body, changes: changes?.listed.map(changeJson) ?? [] }, () =>
    [
      batchText(batch),
      `Output     ${shortest(file)}`,
      ...(changes === null ? [] : [`Changes    ${countsText(changes.counts)}`]),
      '',
      colors.bold(commands(`nightshift sql "${sql}"`)),
      formatResult(answer, 'table', columns),
      '',
      ...(changes === null
        ? []
        : [colors.bold(commands('nightshift changes demo')), changesTable(changes, columns), '']),
      colors.bold('Next steps'),
      ...[...(changes === null ? [] : changeSteps), ...nextSteps].flatMap(([command, what]) => [
        `  ${commands(command)}`,
        `      ${what}`,
      ]),
    ].join('\n'),
  );
  return exitCodeOfBatch(batch);
};

/** Returns the shorter of the absolute path and the path relative to the working folder. */
function shortest(path: string): string {
  const fromHere = relative('.', path);
  return fromHere.length < path.length ? fromHere : path;
}
