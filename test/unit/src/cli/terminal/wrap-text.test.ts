import { describe, expect, test } from 'vitest';
import { columnsOfText, fitColumns } from '../../../../../src/cli/terminal/status-line.ts';
import { fitParts } from '../../../../../src/cli/terminal/progress.ts';
import { createColors } from '../../../../../src/cli/terminal/terminal-text.ts';
import { wrapText } from '../../../../../src/cli/terminal/wrap-text.ts';

describe('wrapped text', () => {
  test('aligns continuation lines with the value after a label', () => {
    expect(wrapText('Cost   from 0 to 2 credits', 18)).toBe('Cost   from 0 to 2\n       credits');
    expect(wrapText('  Ended ads  after two scans', 20)).toBe(
      '  Ended ads  after\n             two\n             scans',
    );
  });

  test('does not count emphasis', () => {
    const { red } = createColors(true);
    expect(wrapText(`${red('one')} two`, 7)).toBe(`${red('one')} two`);
    expect(wrapText('\u001b[31mone\u001b[39m two', 7)).toBe('\u001b[31mone\u001b[39m two');
  });

  test('breaks at blanks, and keeps lines that fit', () => {
    expect(wrapText('one two three\nfour', 80)).toBe('one two three\nfour');
    expect(wrapText('one two three four', 9)).toBe('one two\nthree\nfour');
  });

  test('indents continuation lines of an indented line further', () => {
    expect(wrapText('  - load an export', 12)).toBe('  - load an\n    export');
  });

  test('keeps a link whole', () => {
    expect(wrapText('open https://localhost:3000/sign-in/abc now', 20)).toBe(
      'open\nhttps://localhost:3000/sign-in/abc\nnow',
    );
  });

  test('is wrapped in linear time', () => {
    expect(wrapText('word '.repeat(100_000), 80).split('\n')).toHaveLength(6250);
  });
});

describe('a progress line', () => {
  test('is never wider than the terminal, including wide characters', () => {
    for (const text of ['a'.repeat(100), '漢字'.repeat(30), `é${'x'.repeat(79)}`, '🙂'.repeat(50)])
      expect(columnsOfText(fitColumns(text, 79))).toBeLessThanOrEqual(79);
    expect(fitColumns('abc', 3)).toBe('abc');
    expect(fitColumns('abcd', 3)).toBe('ab…');
  });

  test('drops middle parts before it truncates', () => {
    expect(fitParts(['1 of 9', '3 with ads', '0.6 credits', '4 s left'], 80)).toBe(
      '1 of 9, 3 with ads, 0.6 credits, 4 s left',
    );
    expect(fitParts(['1 of 9', '3 with ads', '0.6 credits', '4 s left'], 30)).toBe(
      '1 of 9, 0.6 credits, 4 s left',
    );
    expect(fitParts(['1 of 9', '3 with ads', '0.6 credits', '4 s left'], 5)).toBe('1 of 9, 4 s left');
  });
});
