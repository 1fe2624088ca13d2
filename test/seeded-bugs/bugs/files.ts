import type { SeededBug } from './bug.ts';

const loadTests = ['integration/work/load-batch.test.ts'];
const readTests = ['unit/src/producer/rows/read-companies.test.ts'];
const linesTests = ['integration/reports/reported-lines.test.ts'];

/** Guards of what comes in as a file and goes out as one. */
export const fileBugs: readonly SeededBug[] = [
  {
    name: 'damaged line lost',
    guard: 'a line with a misplaced quote is kept as a row',
    file: 'src/csv/records/scan-records.ts',
    find: 'if (cells === null) take(readLeniently(line, form), kind, stop);',
    replace: 'if (cells === null) moveBehind(stop, 1);',
    tests: readTests,
  },
  {
    name: 'unusable row lost',
    guard: 'a row with too few or too many cells is kept with the reason',
    file: 'src/producer/rows/row-numbering.ts',
    find: 'return (records) => records.filter(isRow).map(toRow);',
    replace:
      'return (records) => records.filter(isRow).map(toRow).filter(({ problem }) => problem === null);',
    tests: readTests,
  },
  {
    name: 'rejected file partly loaded',
    guard: 'nothing of a rejected file is stored',
    file: 'src/producer/load/load-batch.ts',
    find: 'error instanceof ValidationError || error instanceof Conflict ||',
    replace: 'error instanceof Conflict ||',
    tests: loadTests,
    only: 'is invalid in the middle',
  },
  {
    name: 'one lookup per row',
    guard: 'rows of the same company share one lookup',
    file: 'src/producer/load/read-block.ts',
    find: "lookUp('ads_search', company.key)",
    replace: "lookUp('ads_search', `${company.key} ${rowNo}`)",
    tests: loadTests,
    only: 'shares one lookup',
  },
  {
    name: 'rows out of order',
    guard: 'the export has the order of the input',
    file: 'db/stores/reports/select-lines.ts',
    find: 'ORDER BY r.block_no, r.row_no ',
    replace: 'ORDER BY l.id, r.row_no ',
    tests: linesTests,
  },
  {
    name: 'rejected rows not exported',
    guard: 'every input row is in the export',
    file: 'db/stores/reports/select-lines.ts',
    find: 'WHERE r.batch_id = ${sql.raw(String(Math.trunc(batchId)))}',
    replace: 'WHERE r.reject_reason IS NULL AND r.batch_id = ${sql.raw(String(Math.trunc(batchId)))}',
    tests: linesTests,
  },
  {
    name: 'increment without open transactions',
    guard: 'consecutive increments have every row once',
    file: 'db/sql/sessions.sql',
    find: "least(clock_timestamp() - interval '1 second', min(a.xact_start))",
    replace: "clock_timestamp() - interval '1 second'",
    tests: ['integration/reports/ended-rows.test.ts'],
    only: 'while workers commit late',
  },
  {
    name: 'export not staged',
    guard: 'an output file is complete or missing',
    file: 'src/files/staged-file.ts',
    find: "join(dirname(final), `.${basename(final)}.${randomBytes(6).toString('hex')}.tmp`)",
    replace: "join(dirname(final), basename(final), randomBytes(0).toString('hex'))",
    tests: ['unit/src/reporter/export/write-report.test.ts'],
  },
  {
    name: 'formula not escaped',
    guard: 'no exported cell runs as a formula',
    file: 'src/reporter/formats/escape-formula.ts',
    find: "return mayRun(text) ? `'${text}` : text;",
    replace: "return mayRun(text) && text === '' ? `'${text}` : text;",
    tests: ['unit/src/reporter/formats/escape-formula.test.ts'],
  },
];
