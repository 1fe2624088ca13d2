/** Messages of initdb for a missing locale. */
const missingLocale =
  /invalid locale (?:name|settings)|locale .* (?:not exist|not found)|failed to restore old locale/;

/**
 * Lists the options of initdb for a UTF-8 locale, best first, to be tried in order.
 *
 * With C.UTF-8, case folding, full-text search and pg_trgm are correct in every script (plain C leaves "Ä" as it is and finds no
 * trigrams in Japanese). If the system has neither C.UTF-8 nor en_US.UTF-8, Postgres 17 and later have a built-in locale.
 */
export function localeAttempts(major: number): readonly (readonly string[])[] {
  const system = [['--locale=C.UTF-8'], ['--locale=en_US.UTF-8']];
  if (major < 17) return system;
  return [...system, ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']];
}

/** True when initdb failed only because of a missing locale, so that the next one can be tried. */
export function saysLocaleIsMissing(output: string): boolean {
  return missingLocale.test(output);
}
