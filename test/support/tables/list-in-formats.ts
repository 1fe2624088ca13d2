import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { buildOds, odsRow, odsTable, odsText } from './build-ods.ts';
import { buildWorkbookFile, textRow } from './build-workbook.ts';
import { buildZip } from './build-zip.ts';

/** A table of texts that a test writes in every format. */
export interface TextTable {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** File of a table. */
export interface TableFile {
  readonly name: string;
  readonly format: 'csv' | 'xlsx' | 'ods' | 'parquet' | 'ndjson' | 'json';
  readonly content: Buffer;
}

/** Writes a table in every format that is read, and in the archives that are opened. Texts have no characters that XML escapes. */
export function listInFormats({ header, rows }: TextTable): readonly TableFile[] {
  const csv = Buffer.from([header, ...rows].map((cells) => `${cells.map(quoted).join(',')}\n`).join(''));
  const objects = rows.map((cells) =>
    Object.fromEntries(header.map((name, column) => [name, cells[column] ?? ''])),
  );
  const xlsx = buildWorkbookFile({
    sheets: [{ name: 'Leads', rows: [header, ...rows].map((cells) => textRow(...cells)).join('') }],
  });
  const ods = buildOds(
    odsTable('Leads', [header, ...rows].map((cells) => odsRow(...cells.map(odsText))).join('')),
  );
  const parquet = parquetWriteBuffer({
    columnData: header.map((name, column) => ({
      name,
      data: rows.map((cells) => cells[column] ?? ''),
      type: 'STRING' as const,
    })),
  });
  return [
    { name: 'list.csv', format: 'csv', content: csv },
    { name: 'list.csv.gz', format: 'csv', content: gzipSync(csv) },
    { name: 'list.zip', format: 'csv', content: buildZip([{ name: 'leads/list.csv', content: csv }]) },
    { name: 'list.xlsx', format: 'xlsx', content: xlsx },
    { name: 'list.xlsx.gz', format: 'xlsx', content: gzipSync(xlsx) },
    { name: 'list.ods', format: 'ods', content: ods },
    { name: 'list.parquet', format: 'parquet', content: Buffer.from(parquet) },
    {
      name: 'list.ndjson',
      format: 'ndjson',
      content: Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join('')),
    },
    { name: 'list.json', format: 'json', content: Buffer.from(JSON.stringify(objects, null, 2)) },
    { name: 'arrays.json', format: 'json', content: Buffer.from(JSON.stringify([header, ...rows])) },
  ];
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
