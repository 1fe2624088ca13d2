import type { SchemaElement } from 'hyparquet-writer';
import { microPerCredit } from '../../core/credits/credits.ts';
import { fullNames, type Cell, type ColumnKind, type ReportColumn } from './report-row.ts';
import { flagOf, numberOf, textOf, timeOf } from './typed-cell.ts';

/** A column of a Parquet file: its schema, and the conversion of cells to its physical type. */
export interface ParquetColumn {
  readonly element: SchemaElement;
  readonly value: (cell: Cell) => PhysicalValue;
}

/** Value of a physical type; null for an empty cell. */
export type PhysicalValue = string | number | bigint | boolean | null;

/**
 * Converts the columns of a report to Parquet: each is nullable and has a distinct name (`fullNames`).
 *
 * Text and ids are strings, counts INT32, totals INT64, booleans BOOLEAN, days DATE, moments TIMESTAMP in microseconds UTC. Credits are
 * DECIMAL(18, 6), which holds microcredits exactly and reads as the number of credits that the other formats show.
 */
export function parquetColumns(columns: readonly ReportColumn[]): readonly ParquetColumn[] {
  const names = fullNames(columns.map(({ name }) => name));
  return columns.map(({ kind = 'text' }, index) => {
    const { type, value } = types[kind];
    return {
      element: { name: names[index] ?? '', repetition_type: 'OPTIONAL', ...type },
      value: (cell) => (cell === null ? null : value(cell)),
    };
  });
}

interface ColumnType {
  /** Logical type and, for older readers, the converted type that it replaced. */
  readonly type: Omit<SchemaElement, 'name' | 'repetition_type'>;
  /** Converts a cell that is not empty. */
  readonly value: (cell: string | number | boolean) => PhysicalValue;
}

const dayMs = 86_400_000;

const types: Readonly<Record<ColumnKind, ColumnType>> = {
  text: {
    type: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
    value: textOf,
  },
  count: { type: { type: 'INT32' }, value: numberOf },
  total: { type: { type: 'INT64' }, value: (cell) => BigInt(numberOf(cell)) },
  credits: {
    type: {
      type: 'INT64',
      converted_type: 'DECIMAL',
      precision: 18,
      scale: 6,
      logical_type: { type: 'DECIMAL', precision: 18, scale: 6 },
    },
    value: (cell) => BigInt(Math.round(numberOf(cell) * Number(microPerCredit))),
  },
  flag: { type: { type: 'BOOLEAN' }, value: flagOf },
  day: {
    type: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
    value: (cell) => timeOf(cell) / dayMs,
  },
  moment: {
    type: {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    },
    value: (cell) => BigInt(timeOf(cell)) * 1000n,
  },
};
