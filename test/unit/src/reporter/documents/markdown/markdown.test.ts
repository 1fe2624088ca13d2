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
])('%j is written as %j', (text, written) => {
  expect(escapeMarkdown(text)).toBe(written);
});

test('a code is set as code, and what is none is a text like every other', () => {
  expect(codeMarkdown('source_unreadable')).toBe('`source_unreadable`');
  expect(codeMarkdown('`x`')).toBe('\\`x\\`');
});

test('no hostile text starts HTML, a link, a picture, code, a cell or a line', () => {
  for (const text of texts) expectHarmless(escapeMarkdown(text));
});

test.each([
  ['schedule', scheduleMarkdown(scheduleFixture({ texts }))],
  ['batch', batchMarkdown(batchFixture({ texts }))],
])(
  'the report of a %s full of hostile texts has no HTML and no links, and its tables keep their columns',
  (_kind, report) => {
    const lines = report.split('\n');
    // What is ours and may stand in a line: the marks of headings and lists, bars of tables, and commands as code.
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

test('bars are as long as their numbers, and what is there shows', () => {
  expect([
    textBar(8, 8, 4),
    textBar(4, 8, 4),
    textBar(3, 8, 4),
    textBar(1, 8000, 4),
    textBar(0, 8, 4),
  ]).toEqual(['████', '██', '█▌', '▏', '']);
});

test('a line of counts rises with them; none is not nothing', () => {
  expect(sparkline([null, 0, 1, 50, 100])).toBe('·▁▂▅█');
  expect(sparkline([0, 0])).toBe('▁▁');
  expect(sparkline([])).toBe('');
});

test('the columns of a table stand below one another, numbers to the right', () => {
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
