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

test('text is escaped between tags and in attributes, markup is kept, null is empty', () => {
  const inner = html`<b>${'<i>'}</b>`;
  const parts = [1, ' & ', inner, null, false] as const;
  expect(printMarkup(html`<p title="${`"'`}">${parts}${ownText('<hr>')}</p>`)).toBe(
    '<p title="&quot;&#39;">1 &amp; <b>&lt;i&gt;</b><hr></p>',
  );
});

test('text is escaped once, even if it looks escaped', () => {
  expect(escapeHtml('&lt;b&gt;')).toBe('&amp;lt;b&amp;gt;');
});

test('hostile text opens no tag, closes no quote and starts no character reference', () => {
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

test('text is never accepted as markup', () => {
  const forged = { toString: () => '<b>' } as never;
  expect(() => html`<p>${forged}</p>`).toThrow();
});

test('template with a value in an unsafe place throws', () => {
  expect(() => html`<p class=${'x'}></p>`).toThrow('unquoted value');
  expect(() => html`<${'p'}></${'p'}>`).toThrow('dynamic name');
});

test('template with a number that is not finite throws', () => {
  expect(() => html`<p>${Number.NaN}</p>`).toThrow('finite');
});
