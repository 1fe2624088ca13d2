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
  { value: 'cp850', name: 'MS-DOS, Western (850)' },
  { value: 'cp437', name: 'MS-DOS, US (437)' },
  { value: 'shift_jis', name: 'Japanese (Shift JIS)' },
  { value: 'gbk', name: 'Chinese (GBK)' },
];

const quotes = [
  { value: '', name: 'Detect automatically' },
  { value: '"', name: 'Double quotes' },
  { value: "'", name: 'Single quotes' },
];

const escapes = [
  { value: '', name: 'Detect automatically' },
  { value: '"', name: 'Doubled' },
  { value: '\\', name: 'After a backslash' },
];

const firstLines = [
  { value: 'header', name: 'Column names' },
  { value: 'data', name: 'Data' },
];

const damagedLines = [
  { value: 'keep', name: 'Repair or reject the line' },
  { value: 'strict', name: 'Reject the file' },
];

const linesAbove = [
  { value: '', name: 'Detect automatically' },
  ...Array.from({ length: 21 }, (_, lines) => ({ value: String(lines), name: String(lines) })),
];

/** Reading options, for files that were read incorrectly. */
export function ReadingOptions({ draft: { file, reading, columns } }: { readonly draft: Draft }) {
  const again = useAction(async (changes: Partial<Reading>) => {
    const other = { ...reading, ...changes };
    startDraft(file, other, await readColumns(file, other));
  });
  const { delimiter, encoding, quote, escape, skipLines, hasHeader, isStrict } = reading;
  const choices: readonly Choice[] = [
    ['Delimiter', delimiter, delimiters, (value) => ({ delimiter: value })],
    ['Encoding', encoding, encodings, (value) => ({ encoding: value })],
    ['Lines above the table', skipLines, linesAbove, (value) => ({ skipLines: value })],
    ['First line', hasHeader ? 'header' : 'data', firstLines, (value) => ({ hasHeader: value === 'header' })],
    ['Quotes around cells', quote, quotes, (value) => ({ quote: value })],
    ['Quotes in cells', escape, escapes, (value) => ({ escape: value })],
    [
      'Damaged lines',
      isStrict ? 'strict' : 'keep',
      damagedLines,
      (value) => ({ isStrict: value === 'strict' }),
    ],
  ];
  return (
    <details class="reading">
      <summary>Columns or characters look wrong?</summary>
      <p>
        Encoding: {columns.encoding}. Delimiter:{' '}
        {columns.delimiter === '\t' ? 'tab' : `“${columns.delimiter}”`}.
        {columns.lines_above > 0 && ` Lines above the table, left out: ${columns.lines_above}.`}
      </p>
      <div class="filters">
        {choices.map(([label, value, options, changesOf]) => (
          <Field key={label} label={label}>
            <select
              value={value}
              disabled={again.isRunning}
              onChange={({ currentTarget }) => again.run(changesOf(currentTarget.value))}
            >
              {options.map((option) => (
                <option key={option.value} value={option.value}>
                  {option.name}
                </option>
              ))}
            </select>
          </Field>
        ))}
      </div>
      <ErrorBanner error={again.error} />
    </details>
  );
}

/** Label, current value, options, and the change of the reading that an option makes. */
type Choice = readonly [
  label: string,
  value: string,
  options: readonly { readonly value: string; readonly name: string }[],
  changesOf: (value: string) => Partial<Reading>,
];
