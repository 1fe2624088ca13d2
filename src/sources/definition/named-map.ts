/** The setting that lists named maps. */
export const mapsSetting = 'NIGHTSHIFT_SOURCE_MAPS';

/** A source map with a name of its own. */
export interface NamedMap {
  /** Id of its source: one lower-case word. */
  readonly name: string;
  readonly file: string;
}
