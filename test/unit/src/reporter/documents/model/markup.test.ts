import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  escapeHtml,
  html,
  ownText,
  printMarkup,
} from '../../../../../../src/reporter/documents/model/markup.ts';
import { vectors } from '../../../../../support/xss/vectors.ts';

const codePoint = fc.integer({ min: 0, max: 0x10ffff });

test('texts are escaped between tags and in attributes, markup stays, and nothing shows as nothing', () => {
  const inner = html`<b>${'<i>'}</b>`;
  const parts = [1, ' & ', inner, null, false] as const;
  expect(printMarkup(html`<p title="${`"'`}">${parts}${ownText('<hr>')}</p>`)).toBe(
    '<p title="&quot;&#39;">1 &amp; <b>&lt;i&gt;</b><hr></p>',
  );
});

test('a text is escaped once, also one that looks escaped', () => {
  expect(escapeHtml('&lt;b&gt;')).toBe('&amp;lt;b&amp;gt;');
});

test('no hostile text opens a tag, closes a quote or begins a character reference of its own', () => {
  for (const { text } of vectors) expectHarmless(escapeHtml(text));
  fc.assert(
    fc.property(
      fc.array(codePoint).map((points) => String.fromCodePoint(...points)),
      (text) => expectHarmless(escapeHtml(text)),
    ),
  );
});

function expectHarmless(escaped: string): void {
  expect(escaped).not.toMatch(/[<>"']/);
  expect(escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
}

test('a text cannot pass for markup, whatever it has', () => {
  const forged = { toString: () => '<b>' } as never;
  expect(() => html`<p>${forged}</p>`).toThrow();
});

test('a template with a value where escaping does not help is refused, whatever the value', () => {
  expect(() => html`<p class=${'x'}></p>`).toThrow('a value without quotes');
  expect(() => html`<${'p'}></${'p'}>`).toThrow('a name that is a value');
});

test('a number that is none is a defect, not a picture', () => {
  expect(() => html`<p>${Number.NaN}</p>`).toThrow('finite');
});
