/** Size limits of a stored ad, in UTF-16 units and in elements of lists. Our choice: the largest recorded ad is below a thousandth of it. */
export const adBounds = {
  /** Markup of all variants together. */
  contentChars: 65_536,
  /** A headline, a description, a name or another text. */
  textChars: 10_000,
  /** A URL; browsers accept no longer ones. */
  addressChars: 8_192,
  /** A code or a state of the details: a region, a surface, a country, a verification. */
  codeChars: 100,
  /** Regions of an ad; ISO 3166-1 has 249. */
  regions: 300,
  /** Surfaces of an ad in a region; Google has five. */
  surfaces: 20,
} as const;
