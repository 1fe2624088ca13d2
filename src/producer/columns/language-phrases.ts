/** Headers of one language, as people write them, separated by `|`, the most telling first. */
export interface LanguagePhrases {
  /** ISO 639-1; several where languages share most of the words. */
  readonly language: string;
  /** Name of a company, in full: `Firmenname`. */
  readonly name: string;
  /** Words that alone stand for the company: `Firma`. */
  readonly company: string;
  /** Words for the name of a company as well as of a person: `Name`, `Kunde`. Taken only where no person is meant. */
  readonly bare: string;
  readonly domain: string;
  readonly site: string;
  readonly email: string;
}
