import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { rememberTexts } from '../../../../../../src/core/emails/syntax/remember-texts.ts';

/** Opens a cache with at most three texts of eight characters, and records its computations. */
function openCache() {
  const computed: string[] = [];
  const recall = rememberTexts(
    (text) => {
      computed.push(text);
      return { text };
    },
    { textsMax: 3, charsMax: 8 },
  );
  return { computed, recall };
}

test('a repeated text returns the same object from its second occurrence on', () => {
  const { computed, recall } = openCache();
  expect(recall('größe.de')).toEqual({ text: 'größe.de' });
  const second = recall('größe.de');
  expect(second).toEqual({ text: 'größe.de' });
  expect(recall('größe.de')).toBe(second);
  expect(computed).toEqual(['größe.de', 'größe.de']);
});

test('the cache holds at most the given number of texts', () => {
  const { computed, recall } = openCache();
  for (const text of ['a', 'b', 'c', 'd']) for (let times = 0; times < 2; times += 1) recall(text);
  computed.length = 0;
  for (const text of ['d', 'a']) recall(text);
  expect(computed).toEqual(['a']);
});

test.each(['longer than 8', 'half \ud800'])('%j is never cached', (text) => {
  const { computed, recall } = openCache();
  expect([recall(text), recall(text)]).toEqual([{ text }, { text }]);
  expect(computed).toEqual([text, text]);
});

test('a lone surrogate does not match its replacement character', () => {
  const { recall } = openCache();
  expect(recall('\ufffd')).toEqual({ text: '\ufffd' });
  expect(recall('\ud800')).toEqual({ text: '\ud800' });
});

test('a cached substring does not keep its long text in memory', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const recall = rememberTexts((text) => ({ text }), { textsMax: 1_000, charsMax: 64 });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 100; n += 1) {
    const long = Buffer.alloc(1_000_000, `${n} and more of the same, `).toString('latin1');
    for (let times = 0; times < 2; times += 1) recall(long.slice(0, 40));
  }
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});
