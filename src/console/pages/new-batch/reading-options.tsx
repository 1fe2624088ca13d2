import { useAction } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { begin, type Draft, type Reading } from './draft.ts';
import { readColumns } from './submit.ts';

const delimiters = [
  { value: '', name: 'Found out' },
  { value: ',', name: 'Comma' },
  { value: ';', name: 'Semicolon' },
  { value: 'tab', name: 'Tab' },
  { value: '|', name: 'Bar' },
];

const encodings = [
  { value: '', name: 'Found out' },
  { value: 'utf-8', name: 'UTF-8' },
  { value: 'windows-1252', name: 'Windows, Western (1252)' },
  { value: 'windows-1250', name: 'Windows, Central European (1250)' },
  { value: 'windows-1251', name: 'Windows, Cyrillic (1251)' },
  { value: 'utf-16', name: 'UTF-16' },
  { value: 'shift_jis', name: 'Japanese (Shift JIS)' },
  { value: 'gbk', name: 'Chinese (GBK)' },
];

/** Reading options, for a file that was misread. */
export function ReadingOptions({ draft: { file, reading, columns } }: { readonly draft: Draft }) {
  const again = useAction(async (changes: Partial<Reading>) => {
    const other = { ...reading, ...changes };
    begin(file, other, await readColumns(file, other));
  });
  return (
    <details class="reading">
      <summary>The columns or letters look wrong</summary>
      <p>
        The file was read as {columns.encoding}, its columns parted by{' '}
        {columns.delimiter === '\t' ? 'tabs' : `“${columns.delimiter}”`}.
      </p>
      <div class="filters">
        <Field label="Columns are parted by">
          <select
            value={reading.delimiter}
            disabled={again.isRunning}
            onChange={({ currentTarget }) => again.run({ delimiter: currentTarget.value })}
          >
            {delimiters.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="Letters are written in">
          <select
            value={reading.encoding}
            disabled={again.isRunning}
            onChange={({ currentTarget }) => again.run({ encoding: currentTarget.value })}
          >
            {encodings.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field label="The first line is">
          <select
            value={reading.hasHeader ? 'header' : 'data'}
            disabled={again.isRunning}
            onChange={({ currentTarget }) => again.run({ hasHeader: currentTarget.value === 'header' })}
          >
            <option value="header">the names of the columns</option>
            <option value="data">data already</option>
          </select>
        </Field>
      </div>
      <ErrorBanner failure={again.failure} />
    </details>
  );
}
