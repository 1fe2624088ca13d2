import { expect, test } from 'vitest';
import { rejectGuessable } from '../../../../../../src/api/v1/accounts/password-strength.ts';

test.each([
  '123456789012',
  'passwordpassword',
  'aaaaaaaaaaaa',
  'qwertyuiop12',
  'P@ssw0rd1234',
  'nightshift2026',
  'ida@example.com',
])('password "%s" is rejected as guessable', async (password) => {
  await expect(rejectGuessable(password, 'ida@example.com')).rejects.toThrow('easy to guess');
});

test.each(['correct horse battery', 'kX9#mPq2vL0z', 'vier lila Elefanten tanzen', 'пароль из четырёх слов'])(
  'password "%s" is accepted',
  async (password) => {
    await rejectGuessable(password, 'ida@example.com');
  },
);
