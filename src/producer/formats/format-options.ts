import { ValidationError } from '../../core/errors.ts';
import type { OpenedList } from '../../tables/open-list.ts';
import { formatLabels, hasSheets } from './file-formats.ts';
import type { RecordsOptions } from './records-form.ts';

const textOptions = [
  ['encoding', '--encoding'],
  ['delimiter', '--delimiter'],
  ['quote', '--quote'],
  ['escape', '--escape'],
] as const;

/** Rejects options that have no meaning for the format of a file, because they would have no effect. @throws ValidationError */
export function rejectOtherOptions(list: OpenedList, options: RecordsOptions): void {
  const format = list.kind === 'text' ? 'csv' : list.format;
  const names: string[] = [];
  if (list.kind === 'table')
    names.push(...textOptions.flatMap(([key, name]) => (options[key] === undefined ? [] : [name])));
  if (options.sheet !== undefined && !hasSheets(format)) names.push('--sheet');
  if (options.skipLines !== undefined && format !== 'csv' && !hasSheets(format)) names.push('--skip-lines');
  if (options.noHeader === true && list.kind === 'table' && list.hasNames) names.push('--no-header');
  if (names.length === 0) return;
  const { fileName } = options;
  const what = list.kind === 'table' && list.hasNames ? ', whose columns have names' : '';
  throw new ValidationError(
    `${fileName}: ${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no meaning for a file of this format ` +
      `(${formatLabels[format]}${what}). Leave ${names.length === 1 ? 'it' : 'them'} out.`,
    { where: fileName },
  );
}
