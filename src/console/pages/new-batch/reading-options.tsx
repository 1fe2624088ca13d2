import { useAction } from '../../api/use-action.ts';
import { Field } from '../../components/forms/field.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import { startDraft, type Draft, type Reading } from './draft.ts';
import { readColumns } from './submit.ts';

const delimiters = [
  { value: '', name: 'Detect automatically' },
  { value: ',', name: 'Comma' },
  { value: ';', name: 'Semicolon' },
  { value: 'tab', name: 'Tab' },
  { value: '|', name: 'Pipe' },
];

const encodings = [
  { value: '', name: 'Detect automatically' },
  { value: 'utf-8', name: 'UTF-8' },
  { value: 'windows-1252', name: 'Windows, Western (1252)' },
  { value: 'windows-1250', name: 'Windows, Central European (1250)' },
  { value: 'windows-1251', name: 'Windows, Cyrillic (1251)' },
  { value: 'utf-16', name: 'UTF-16' },
  { value: 'shift_jis', name: 'Japanese (Shift JIS)' },
  { value: 'gbk', name: 'Chinese (GBK)' },
];

/** Reading options, for files that were read incorrectly. */
export function ReadingOptions({ draft: { file, reading, columns } }: { readonly draft: Draft }) {
  const again = useAction(async (changes: Partial<Reading>) => {
    const other = { ...reading, ...changes };
    startDraft(file, other, await readColumns(file, other));
  });
  return (
    <details class="reading">
      <summary>Columns or characters look wrong?</summary>
      <p>
        Encoding: {columns.encoding}. Delimiter:{' '}
        {columns.delimiter === '\t' ? 'tab' : `“${columns.delimiter}”`}.
      </p>
      <div class="filters">
        <Field label="Delimiter">
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
        <Field label="Encoding">
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
        <Field label="First line">
          <select
            value={reading.hasHeader ? 'header' : 'data'}
            disabled={again.isRunning}
            onChange={({ currentTarget }) => again.run({ hasHeader: currentTarget.value === 'header' })}
          >
            <option value="header">Column names</option>
            <option value="data">Data</option>
          </select>
        </Field>
      </div>
      <ErrorBanner error={again.error} />
    </details>
  );
}
