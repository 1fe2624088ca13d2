import type { Body } from '../../api/client.ts';
import { Field } from '../../components/forms/field.tsx';
import { ErrorBanner } from '../../components/banner.tsx';
import type { Draft, Reading } from './draft.ts';
import type { ReadAgain } from './use-read-again.ts';

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
export function ReadingOptions({
  draft: { reading, columns },
  again: { options: changing, isRunning },
}: {
  readonly draft: Draft;
  readonly again: ReadAgain;
}) {
  const choices = choicesFor(columns.format, reading);
  // The columns of other formats have names, and nothing is detected.
  if (choices.length === 0) return null;
  return (
    <details class="reading">
      <summary>
        {columns.format === 'csv' ? 'Columns or characters look wrong?' : 'Columns look wrong?'}
      </summary>
      <p>{detectedText(columns)}</p>
      <div class="filters">
        {choices.map(([label, value, options, changesOf]) => (
          <Field key={label} label={label}>
            <select
              value={value}
              disabled={isRunning}
              onChange={({ currentTarget }) => changing.run(changesOf(currentTarget.value))}
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
      <ErrorBanner error={changing.error} />
    </details>
  );
}

function detectedText({ encoding, delimiter, lines_above: above, format }: Body<'ListColumns'>): string {
  const unit = format === 'csv' ? 'Lines' : 'Rows';
  return [
    ...(encoding === null ? [] : [`Encoding: ${encoding}.`]),
    ...(delimiter === null ? [] : [`Delimiter: ${delimiter === '\t' ? 'tab' : `“${delimiter}”`}.`]),
    ...(above === 0 ? [] : [`${unit} above the table, left out: ${above}.`]),
  ].join(' ');
}

function choicesFor(format: Body<'ListColumns'>['format'], reading: Reading): readonly Choice[] {
  const { delimiter, encoding, quote, escape, skipLines, hasHeader, isStrict } = reading;
  const header = hasHeader ? 'header' : 'data';
  const changeHeader: Choice[3] = (value) => ({ hasHeader: value === 'header' });
  const changeLines: Choice[3] = (value) => ({ skipLines: value });
  if (format === 'xlsx' || format === 'ods')
    return [
      ['Rows above the table', skipLines, linesAbove, changeLines],
      ['First row', header, firstLines, changeHeader],
    ];
  if (format !== 'csv') return [];
  return [
    ['Delimiter', delimiter, delimiters, (value) => ({ delimiter: value })],
    ['Encoding', encoding, encodings, (value) => ({ encoding: value })],
    ['Lines above the table', skipLines, linesAbove, changeLines],
    ['First line', header, firstLines, changeHeader],
    ['Quotes around cells', quote, quotes, (value) => ({ quote: value })],
    ['Quotes in cells', escape, escapes, (value) => ({ escape: value })],
    [
      'Damaged lines',
      isStrict ? 'strict' : 'keep',
      damagedLines,
      (value) => ({ isStrict: value === 'strict' }),
    ],
  ];
}

/** Label, current value, options, and the change of the reading that an option makes. */
type Choice = readonly [
  label: string,
  value: string,
  options: readonly { readonly value: string; readonly name: string }[],
  changesOf: (value: string) => Partial<Reading>,
];
