import { hash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSieve } from '../../../../../../src/core/emails/lists/sieve.ts';

const texts = fc.array(fc.string({ maxLength: 12 }), { maxLength: 50 });

test('a sieve passes every text of its list, also at the beginning of another', () => {
  fc.assert(
    fc.property(texts, fc.string({ maxLength: 5 }), (list, rest) => {
      const sieve = createSieve(list);
      for (const text of list) {
        expect(sieve.mayHave(text)).toBe(true);
        expect(sieve.mayHave(`${text}${rest}`, text.length)).toBe(true);
      }
    }),
  );
});

test('a sieve excludes most texts that are not in its list', () => {
  const wordOf = (n: number) => hash('sha256', String(n), 'base64').slice(0, 5 + (n % 10));
  const sieve = createSieve(Array.from({ length: 5_000 }, (_, n) => wordOf(n)));
  const others = Array.from({ length: 5_000 }, (_, n) => wordOf(5_000 + n));
  expect(others.filter((text) => sieve.mayHave(text)).length).toBeLessThan(1_000);
});
