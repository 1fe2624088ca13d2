import { describe, expect, test } from 'vitest';
import { checkPassword, hashPassword, isPassword } from '../../../../../src/core/accounts/password.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';

describe('a password', () => {
  test('is known again, in any Unicode form, and nothing else is; the same one has another hash every time', async () => {
    const stored = await hashPassword('caf\u00e9 at midnight');
    expect(stored).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/=]{24}\$[\w+/=]{44}$/);
    expect(await isPassword('caf\u00e9 at midnight', stored)).toBe(true);
    expect(await isPassword('cafe\u0301 at midnight', stored)).toBe(true);
    expect(await isPassword('caf\u00e9 at midnighT', stored)).toBe(false);
    expect(await hashPassword('caf\u00e9 at midnight')).not.toBe(stored);
  });

  test('of nobody is never right, not even the one that would fit an empty hash', async () => {
    expect(await isPassword('', null)).toBe(false);
    expect(await isPassword('correct horse battery', null)).toBe(false);
    expect(await isPassword('correct horse battery', 'no hash of ours')).toBe(false);
  });

  test.each(['', 'short', 'eleven char', 'x'.repeat(201)])('of %j is refused', (password) => {
    expect(() => checkPassword(password)).toThrow(ValidationError);
  });

  test.each(['twelve chars', '\u{1f319}'.repeat(12), 'x'.repeat(200)])('of %j is taken', (password) => {
    expect(() => checkPassword(password)).not.toThrow();
  });
});
