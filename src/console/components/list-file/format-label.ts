import type { Body } from '../../api/client.ts';
import { formatLabels } from '../../../producer/formats/file-formats.ts';

/** Formats the format of a file with its sheet: `Excel workbook, sheet “Leads”`. */
export function formatLabel({ format, sheet }: Pick<Body<'ListColumns'>, 'format' | 'sheet'>): string {
  return sheet === null ? formatLabels[format] : `${formatLabels[format]}, sheet “${sheet}”`;
}
