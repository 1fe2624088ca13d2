/** Thread of `xlsx-workbook.ts`: receives a sheet, returns the bytes of its workbook, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import writeWorkbook from 'write-excel-file/node';
import type { Sheet } from './xlsx-workbook.ts';

const { rows, widths } = workerData as Sheet;

const workbook = writeWorkbook(
  rows.map((row) => [...row]),
  { sheet: 'export', stickyRowsCount: 1, columns: widths.map((width) => ({ width })) },
);
const bytes = new Uint8Array(await workbook.toBuffer());
parentPort?.postMessage(bytes, [bytes.buffer]);
