import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { ValidationError } from '../../../core/errors.ts';
import { once } from '../../../core/async/once.ts';

/** Guesses that it takes at least, as a power of ten: safe for years where each takes 0.3 s. zxcvbn's score 3. */
const guessesLog10Min = 8;

/** Loaded with its first use: dictionaries take memory, and most processes never see a password. */
const loadChecker = once(async (): Promise<ZxcvbnFactory> => {
  const [{ ZxcvbnFactory: Checker }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new Checker({ dictionary, graphs: adjacencyGraphs });
});

/**
 * Refuses a password that is guessed soon: a common one, a keyboard's row, a date, a repetition, or one made of the user's own login
 * (NIST SP 800-63B §3.1.1.2).
 *
 * @throws ValidationError
 */
export async function rejectGuessable(password: string, login: string): Promise<void> {
  const own = [login, ...login.split(/[@.]/), 'nightshift'];
  const { guessesLog10 } = (await loadChecker()).check(password, own);
  if (guessesLog10 >= guessesLog10Min) return;
  throw new ValidationError(
    'This password is guessed soon. Take three or four words that do not belong together, or let a password manager make one.',
  );
}
