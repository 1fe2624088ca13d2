/** initdb's own words when the system lacks a locale; anything else it says is trouble of another kind. */
const missingLocale =
  /invalid locale (?:name|settings)|locale .* (?:not exist|not found)|failed to restore old locale/;

/**
 * The ways to ask initdb for a UTF-8 locale, best first; each is tried until one is accepted.
 *
 * With C.UTF-8, case folding, full-text search and pg_trgm are right in every script (plain C leaves "Ä" as it is and finds no
 * trigrams in Japanese). Where the system has neither it nor en_US.UTF-8, Postgres 17 and later bring their own.
 */
export function localeAttempts(major: number): readonly (readonly string[])[] {
  const system = [['--locale=C.UTF-8'], ['--locale=en_US.UTF-8']];
  if (major < 17) return system;
  return [...system, ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']];
}

/** Tells from what initdb said whether only the locale was at fault, so that the next one is worth a try. */
export function saysLocaleIsMissing(output: string): boolean {
  return missingLocale.test(output);
}
