import { expect, test } from 'vitest';
import { hasControlCharacter } from '../../../../../src/core/companies/control-character.ts';

test.each(['\0', 'a\tb', 'a\nb', '\u0085', '\ud800', 'a\udc00'])(
  '%j contains a control or broken character',
  (text) => {
    expect(hasControlCharacter(text)).toBe(true);
  },
);

test.each(['', 'Nike, Inc.', 'Żółć', '株式会社', '😀'])(
  '%j contains no control or broken character',
  (text) => {
    expect(hasControlCharacter(text)).toBe(false);
  },
);
