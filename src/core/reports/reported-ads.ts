/** The first items of a list, and their total: a report is bounded to what a person can read. */
export interface Bounded<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** A company with its name in the batch. Its key is that of `CompanyQuery`. */
export interface NamedCompany {
  readonly key: string;
  readonly domain: string | null;
  readonly name: string | null;
}

/** Version of an ad. All of it is untrusted text. Days are `YYYY-MM-DD`, UTC. */
export interface ShownAd {
  readonly advertiserId: string | null;
  readonly creativeId: string | null;
  readonly advertiserName: string | null;
  readonly format: string | null;
  readonly headline: string | null;
  readonly description: string | null;
  readonly displayUrl: string | null;
  readonly finalUrl: string | null;
  /** Its page in a public ad-transparency listing. */
  readonly originalUrl: string | null;
  readonly start: string | null;
  readonly lastSeen: string | null;
  /** Markup of its first rendering, if markup was requested or it is a picture of the sample. */
  readonly markup: string | null;
  /** Absent: the source reported nothing beside the content, or it was not read. */
  readonly details?: ShownDetails;
}

/** Details of an ad that a report shows. */
export interface ShownDetails {
  readonly payer: string | null;
  readonly previewUrl: string | null;
  readonly daysShown: number | null;
  readonly timesShownLower: number | null;
  readonly timesShownUpper: number | null;
}

/** Ads by what their sources count, each list in descending order; empty where nothing is known. */
export interface AdRankings {
  /** Ads that were shown most often, by the upper bound, else the lower one. */
  readonly largestReach: readonly CompanyAd[];
  /** Ads that were really shown on the most days. */
  readonly longestShown: readonly CompanyAd[];
}

/** An ad of a company. */
export interface CompanyAd {
  readonly company: NamedCompany;
  readonly ad: ShownAd;
}

/** Number of ads of a format, as the source names it; null: not given. */
export interface FormatCount {
  readonly format: string | null;
  readonly ads: number;
}
