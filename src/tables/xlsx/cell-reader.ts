import { columnLetters, columnOf } from '../cells/column-letters.ts';
import type { XmlTag } from '../../xml/xml-tag.ts';
import { formattedNumber, storedDate } from './cell-text.ts';
import type { NumberFormat } from './number-format.ts';
import { formatOf } from './read-styles.ts';
import { isTrue } from './read-workbook.ts';
import { unescapeText } from './unescape-text.ts';

/** Contents of a workbook that its cells refer to. */
export interface CellContext {
  readonly styles: readonly NumberFormat[];
  readonly isFrom1904: boolean;
  /** Returns the nth shared text; undefined when there is none. */
  readonly sharedText: (index: number) => string | undefined;
}

/** Receiver of what a person wants to know about cells. */
export interface CellReceiver {
  /** Called with the position of a cell whose value is an error, such as `#N/A`. */
  readonly onErrorCell: (cell: string) => void;
  /** Called with the position of a formula without a stored result. */
  readonly onUncalculatedCell: (cell: string) => void;
  /** Called with the reason why the sheet is damaged. Must throw. */
  readonly onDamage: (rowNo: number, reason: string) => never;
}

/** Reader of the cells of a sheet, one after the other. */
export interface CellReader {
  /** Starts a cell. `previous` is the column, from 0, of the cell before it in the row, or -1. Returns its column. */
  readonly open: (tag: XmlTag, rowNo: number, previous: number) => number;
  readonly addFormula: () => void;
  /** Adds a part of the value; an empty part says that there is one. */
  readonly addValue: (text: string) => void;
  /** Ends the cell, and returns its text. */
  readonly close: () => string;
}

/** Limit of Excel. */
const sheetColumnsMax = 16_384;

/** Creates a reader of cells (ECMA-376 part 1, §18.3.1.4). */
export function createCellReader(context: CellContext, receiver: CellReceiver): CellReader {
  let rowNo = 0;
  let column = 0;
  let type = 'n';
  let style: string | undefined;
  let value = '';
  let hasValue = false;
  let hasFormula = false;

  function open(tag: XmlTag, row: number, previous: number): number {
    const reference = tag.attribute('r');
    column = reference === undefined ? previous + 1 : columnOf(reference);
    rowNo = row;
    if (column <= previous || column >= sheetColumnsMax)
      receiver.onDamage(rowNo, `a cell has the position ${JSON.stringify(reference ?? column + 1)}`);
    type = tag.attribute('t') ?? 'n';
    style = tag.attribute('s');
    value = '';
    hasValue = false;
    hasFormula = false;
    return column;
  }

  function close(): string {
    if (hasFormula && value === '' && type !== 'str') receiver.onUncalculatedCell(position());
    return hasValue ? textOf() : '';
  }

  function textOf(): string {
    switch (type) {
      case 's':
        return unescapeText(sharedText());
      case 'str':
      case 'inlineStr':
        return unescapeText(value);
      case 'b':
        return isTrue(value.trim()) ? 'TRUE' : 'FALSE';
      case 'e':
        receiver.onErrorCell(position());
        return '';
      case 'd':
        return storedDate(value.trim(), formatOf(context.styles, style));
      default:
        return formattedNumber(value.trim(), formatOf(context.styles, style), context.isFrom1904);
    }
  }

  function sharedText(): string {
    const text = /^\s*[0-9]+\s*$/.test(value) ? context.sharedText(Number(value)) : undefined;
    return text ?? receiver.onDamage(rowNo, `the cell ${position()} refers to a text that does not exist`);
  }

  function position(): string {
    return `${columnLetters(column)}${rowNo}`;
  }

  return {
    open,
    addFormula: () => void (hasFormula = true),
    addValue(text) {
      hasValue = true;
      value += text;
    },
    close,
  };
}
