import { describe, expect, test } from 'vitest';
import { checkPassword, hashPassword, isPassword } from '../../../../../src/core/accounts/password.ts';
import { ValidationError } from '../../../../../src/core/errors.ts';

describe('a password check', () => {
  test('accepts only the hashed password, in any Unicode normalization form, and salts each hash', async () => {
    const stored = await hashPassword('caf\u00e9 at midnight');
    expect(stored).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[\w+/=]{24}\$[\w+/=]{44}$/);
    expect(await isPassword('caf\u00e9 at midnight', stored)).toBe(true);
    expect(await isPassword('cafe\u0301 at midnight', stored)).toBe(true);
    expect(await isPassword('caf\u00e9 at midnighT', stored)).toBe(false);
    expect(await hashPassword('caf\u00e9 at midnight')).not.toBe(stored);
  });

  test('rejects every password if there is no valid hash', async () => {
    expect(await isPassword('', null)).toBe(false);
    expect(await isPassword('correct horse battery', null)).toBe(false);
    expect(await isPassword('correct horse battery', 'no hash of ours')).toBe(false);
  });

  test.each(['', 'short', 'eleven char', 'x'.repeat(201)])('rejects %j as a new password', (password) => {
    expect(() => checkPassword(password)).toThrow(ValidationError);
  });

  test.each(['twelve chars', '\u{1f319}'.repeat(12), 'x'.repeat(200)])(
    'accepts %j as a new password',
    (password) => {
      expect(() => checkPassword(password)).not.toThrow();
    },
  );
});
