import { expect, test } from 'vitest';
import { sparkline, textBar } from '../../../../../../src/reporter/documents/markdown/bars.ts';
import { codeMarkdown, escapeMarkdown } from '../../../../../../src/reporter/documents/markdown/escape.ts';
import { batchMarkdown } from '../../../../../../src/reporter/documents/markdown/batch-md.ts';
import { scheduleMarkdown } from '../../../../../../src/reporter/documents/markdown/schedule-md.ts';
import { mdTable } from '../../../../../../src/reporter/documents/markdown/table.ts';
import { batchFixture, scheduleFixture } from '../../../../../support/reports/report-fixture.ts';
import { vectors } from '../../../../../support/xss/vectors.ts';

const texts = vectors.map(({ text }) => text);

test.each([
  ['Ben & Jerry’s <b>', 'Ben &amp; Jerry’s &lt;b&gt;'],
  ['a|b', 'a\\|b'],
  ['[x](https://evil.example)', '\\[x\\](https:\u200b//evil.example)'],
  ['`code` *strong* _soft_ ~gone~ $x$ \\', '\\`code\\` \\*strong\\* \\_soft\\_ \\~gone\\~ \\$x\\$ \\\\'],
  ['@everybody #1 www.evil.example', '@\u200beverybody #\u200b1 www\u200b.evil.example'],
  ['Nestlé S.A. (Vevey) - 20 % off!', 'Nestlé S.A. (Vevey) - 20 % off!'],
])('%j is escaped as %j', (text, written) => {
  expect(escapeMarkdown(text)).toBe(written);
});

test('codes are inline code, other text is escaped', () => {
  expect(codeMarkdown('source_unreadable')).toBe('`source_unreadable`');
  expect(codeMarkdown('`x`')).toBe('\\`x\\`');
});

test('hostile text creates no HTML, link, picture, code, cell or line', () => {
  for (const text of texts) expectHarmless(escapeMarkdown(text));
});

test.each([
  ['schedule', scheduleMarkdown(scheduleFixture({ texts }))],
  ['batch', batchMarkdown(batchFixture({ texts }))],
])(
  'report of a %s with hostile texts has no HTML and no links, and its tables keep their columns',
  (_kind, report) => {
    const lines = report.split('\n');
    // Markup of the product within a line: headings and lists, table bars, and commands as code.
    for (const line of lines)
      expectHarmless(
        line
          .replace(/^(#{1,2}|-) /, '')
          .replaceAll(/`[^`\\]*`/g, '')
          .replaceAll(/(?<!\\)\|/g, ''),
      );
    const rows = lines.map((line) => (/^\|.*\|$/.test(line) ? (line.match(/(?<!\\)\|/g) ?? []).length : 0));
    const broken = rows.filter((bars, i) => bars > 0 && (rows[i - 1] ?? 0) > 0 && rows[i - 1] !== bars);
    expect(broken).toEqual([]);
  },
);

function expectHarmless(written: string): void {
  expect(written).not.toMatch(/[<>\r\n]/);
  expect(written.replace(/\\./g, '')).not.toMatch(/[`*_[\]|~$\\]/);
  expect(written).not.toMatch(/:\/\/|www\.|@[\w.]|#\d/i);
}

test('bars are proportional to their numbers, and visible above zero', () => {
  expect([
    textBar(8, 8, 4),
    textBar(4, 8, 4),
    textBar(3, 8, 4),
    textBar(1, 8000, 4),
    textBar(0, 8, 4),
  ]).toEqual(['████', '██', '█▌', '▏', '']);
});

test('sparkline rises with its counts, and distinguishes null from zero', () => {
  expect(sparkline([null, 0, 1, 50, 100])).toBe('·▁▂▅█');
  expect(sparkline([0, 0])).toBe('▁▁');
  expect(sparkline([])).toBe('');
});

test('table columns are aligned, numbers to the right', () => {
  const columns = [
    { title: 'Name', cell: ({ name }: { name: string; count: number }) => name },
    { title: 'Ads', cell: ({ count }: { name: string; count: number }) => String(count), isNumber: true },
  ];
  expect(
    mdTable(
      [
        { name: 'Nike', count: 12 },
        { name: 'L’Oréal', count: 7 },
      ],
      columns,
    ),
  ).toBe(['| Name    | Ads |', '| ------- | --: |', '| Nike    |  12 |', '| L’Oréal |   7 |'].join('\n'));
});
