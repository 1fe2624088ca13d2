import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { ValidationError } from '../../../core/errors.ts';
import { once } from '../../../core/async/once.ts';

/** Minimum number of guesses, as a power of ten: zxcvbn's score 3. At 0.3 s for each guess the password is safe for years. */
const guessesLog10Min = 8;

/** Loads the checker lazily: its dictionaries take memory, and most processes never check a password. */
const loadChecker = once(async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory: Checker }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Checker({ dictionary, graphs: adjacencyGraphs });
});

/**
 * Rejects a password that is easy to guess: a common one, a row of the keyboard, a date, a repetition, or one derived from the user's
 * login (NIST SP 800-63B §3.1.1.2).
 *
 * @throws ValidationError
 */
export async function rejectGuessable(password: string, login: string): Promise<void> {
  const own = [login, ...login.split(/[@.]/), 'nightshift'];
  const { guessesLog10 } = (await loadChecker()).check(password, own);
  if (guessesLog10 >= guessesLog10Min) return;
  throw new ValidationError(
    'This password is easy to guess. Use three or four unrelated words, or a password manager.',
  );
}
