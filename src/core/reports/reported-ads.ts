/** The first of a list, and how many there are in all: a report holds no more than a person can look through. */
export interface Bounded<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** A company as its list names it. Its key is that of `CompanyQuery`. */
export interface NamedCompany {
  readonly key: string;
  readonly domain: string | null;
  readonly name: string | null;
}

/** Version of an ad. All of it is foreign text. Days are `YYYY-MM-DD`, UTC. */
export interface ShownAd {
  readonly advertiserId: string | null;
  readonly creativeId: string | null;
  readonly advertiserName: string | null;
  readonly format: string | null;
  readonly headline: string | null;
  readonly description: string | null;
  readonly displayUrl: string | null;
  readonly finalUrl: string | null;
  /** Its page in a public listing. */
  readonly originalUrl: string | null;
  readonly start: string | null;
  readonly lastSeen: string | null;
  /** The markup of its first rendering, where renderings were asked for. */
  readonly markup: string | null;
}

/** An ad of a company. */
export interface CompanyAd {
  readonly company: NamedCompany;
  readonly ad: ShownAd;
}

/** Number of ads of a format, as the source calls it; null: not given. */
export interface FormatCount {
  readonly format: string | null;
  readonly ads: number;
}
