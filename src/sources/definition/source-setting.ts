/** Settings of a source, by the names under which its adapter receives their values. */
export type SourceSettings = Readonly<Record<string, SourceSetting>>;

/** A setting that turns a source on or changes its behaviour. */
export type SourceSetting = TextSetting | IntegerSetting | BooleanSetting;

interface Described {
  /** Environment variable: `NIGHTSHIFT_`, the id of the source in capitals, and the rest. */
  readonly name: `NIGHTSHIFT_${string}`;
  /** Meaning, in one sentence or more, as docs/reference/configuration.md shows it. */
  readonly what: string;
  /** The source is off until this setting has a value; a boolean must be true. Required settings are set together. */
  readonly required?: true;
}

/** A text. A `secret` is never shown. A `url` starts with http:// or https://, and the operator vouches for its host. */
export interface TextSetting extends Described {
  readonly kind: 'text' | 'secret' | 'url';
  /** Kind of the text for people, such as `file`. Default: `text`, or `URL`. */
  readonly unit?: string;
  /** Default value. Default: null. */
  readonly default?: string;
}

/** An integer from `min` to `max`. */
export interface IntegerSetting extends Described {
  readonly kind: 'integer';
  readonly unit: string;
  readonly default: number;
  /** Default: 1. */
  readonly min?: 0;
  readonly max: number;
}

/** A choice between `true` and `false`. */
export interface BooleanSetting extends Described {
  readonly kind: 'boolean';
  readonly default: boolean;
}

/** Values of declared settings, by the same names. A text that is neither required nor has a default may be null. */
export type ValuesOf<Settings extends SourceSettings> = {
  readonly [Name in keyof Settings]: ValueOf<Settings[Name]>;
};

type ValueOf<Setting extends SourceSetting> = Setting extends BooleanSetting
  ? boolean
  : Setting extends IntegerSetting
    ? number
    : Setting extends { readonly required: true } | { readonly default: string }
      ? string
      : string | null;
