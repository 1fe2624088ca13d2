import type { Body } from '../../api/client.ts';
import { formatLabels } from '../../../producer/formats/file-formats.ts';
import { pastedName } from './pasted-rows.ts';

/** Formats the name of a list with its format and sheet: `leads.xlsx: Excel workbook, sheet “Leads”`. Pasted rows have no format. */
export function listLabel(
  fileName: string,
  { format, sheet }: Pick<Body<'ListColumns'>, 'format' | 'sheet'>,
): string {
  if (fileName === pastedName) return fileName;
  return `${fileName}: ${formatLabels[format]}${sheet === null ? '' : `, sheet “${sheet}”`}`;
}
