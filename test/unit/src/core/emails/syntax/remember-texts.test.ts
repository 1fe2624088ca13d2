import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { rememberTexts } from '../../../../../../src/core/emails/syntax/remember-texts.ts';

/** Counts how often it works; `charsMax` 8, `textsMax` 3. */
function openMemory() {
  const worked: string[] = [];
  const recall = rememberTexts(
    (text) => {
      worked.push(text);
      return { text };
    },
    { textsMax: 3, charsMax: 8 },
  );
  return { worked, recall };
}

test('a text that comes again is not worked out again, and gives the very same object', () => {
  const { worked, recall } = openMemory();
  const first = recall('größe.de');
  expect(recall('größe.de')).toBe(first);
  expect(first).toEqual({ text: 'größe.de' });
  expect(worked).toEqual(['größe.de']);
});

test('no more texts are remembered than the bound says', () => {
  const { worked, recall } = openMemory();
  for (const text of ['a', 'b', 'c', 'd', 'a']) recall(text);
  expect(worked).toEqual(['a', 'b', 'c', 'd', 'a']);
});

test.each(['longer than 8', 'half \ud800'])('%j is worked out each time, as it is', (text) => {
  const { worked, recall } = openMemory();
  expect([recall(text), recall(text)]).toEqual([{ text }, { text }]);
  expect(worked).toEqual([text, text]);
});

test('half a character is not mistaken for the one that stands for it', () => {
  const { recall } = openMemory();
  expect(recall('\ufffd')).toEqual({ text: '\ufffd' });
  expect(recall('\ud800')).toEqual({ text: '\ud800' });
});

test('a text that was cut out of a long one does not keep that alive', () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const recall = rememberTexts((text) => ({ text }), { textsMax: 1_000, charsMax: 64 });
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 100; n += 1) {
    const long = Buffer.alloc(1_000_000, `${n} and more of the same, `).toString('latin1');
    recall(long.slice(0, 40));
  }
  collectGarbage();
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000);
});
