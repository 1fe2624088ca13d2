import { expect, test } from 'vitest';
import { barTable } from '../../../../../../../src/reporter/documents/charts/bar-table.ts';
import { columnChart } from '../../../../../../../src/reporter/documents/charts/column-chart.ts';
import { lineChart } from '../../../../../../../src/reporter/documents/charts/line-chart.ts';
import { html, printMarkup, type Markup } from '../../../../../../../src/reporter/documents/model/markup.ts';

const labels = { id: 'ads', title: 'Ads <b>', summary: 'From 1 to 3 & more.' };
const days = ['2026-03-01', '2026-03-02', '2026-03-03'];

/** Values of an attribute in all elements that have it, in order. */
function attributes(markup: Markup, name: string): readonly string[] {
  return [...printMarkup(markup).matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(
    ([, value = '']) => value,
  );
}

test('chart has a title and a text alternative', () => {
  const text = printMarkup(lineChart(days, [], labels));
  expect(text).toContain('<title id="ads-title">Ads &lt;b&gt;</title>');
  expect(text).toContain('<desc id="ads-summary">From 1 to 3 &amp; more.</desc>');
  expect(text).toContain('role="img"');
  expect(text).toContain('aria-labelledby="ads-title ads-summary"');
});

test('line passes through its days, with a dot on days with a scan', () => {
  const chart = lineChart(days, [{ name: 'Nike', values: [0, 4, 4], dots: [true, true, false] }], labels);
  expect(attributes(chart, 'd')).toEqual(['M44,270L452,12L860,12']);
  expect(attributes(chart, 'cx')).toEqual(['44', '452']);
});

test('line starts on the day of the first scan', () => {
  const chart = lineChart(days, [{ name: 'Nike', values: [null, 1, 2], dots: [false, true, true] }], labels);
  expect(attributes(chart, 'd')).toEqual(['M452,141L860,12']);
});

test('single day is a dot in the middle', () => {
  const chart = lineChart(['2026-03-01'], [{ name: 'Nike', values: [3], dots: [true] }], labels);
  expect(attributes(chart, 'cx')).toEqual(['452']);
});

test('chart draws at most six lines', () => {
  const lines = Array.from({ length: 8 }, (_, i) => ({
    name: `${i}`,
    values: [i, i, i],
    dots: [true, true, true],
  }));
  expect(attributes(lineChart(days, lines, labels), 'd')).toHaveLength(6);
});

test('chart of half a year has no dots and labels that fit', () => {
  const many = Array.from({ length: 183 }, (_, i) =>
    new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
  );
  const chart = lineChart(
    many,
    [{ name: 'Nike', values: many.map(() => 5), dots: many.map(() => true) }],
    labels,
  );
  expect(attributes(chart, 'cx')).toEqual([]);
  expect(attributes(chart, 'text-anchor').filter((anchor) => anchor === 'middle').length).toBeLessThan(9);
});

test('column chart has started ads above and ended ads below the axis on one scale, and no column for zero', () => {
  const balances = [
    { day: '2026-03-01', begun: 2, ended: 1 },
    { day: '2026-03-02', begun: 0, ended: 0 },
    { day: '2026-03-03', begun: 0, ended: 2 },
  ];
  const chart = columnChart(balances, labels);
  expect(attributes(chart, 'class').filter((name) => name === 'begun' || name === 'ended')).toEqual([
    'begun',
    'ended',
    'ended',
  ]);
  const heights = attributes(chart, 'd').map((d) => {
    const [, from = '0', to = '0'] = /^M[\d.]+,([\d.]+)V([\d.]+)/.exec(d) ?? [];
    return Number(from) - Number(to);
  });
  expect(heights).toEqual([99, -49.5, -99]);
});

test('bar is proportional to the largest number, next to its own number', () => {
  const bars = [
    { name: html`Image`, value: 8, text: '8' },
    { name: html`Text`, value: 2, text: '2' },
  ];
  const markup = barTable(bars, { caption: 'Formats', nameTitle: 'Format', valueTitle: 'Ads' });
  expect(attributes(markup, 'd')).toEqual(['M0,0H100V10H0Z', 'M0,0H25V10H0Z']);
  expect(printMarkup(markup)).toMatch(/<th scope="row">Text<\/th>/);
});
