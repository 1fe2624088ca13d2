import type { HttpClient } from '../../adapters/http/http.ts';
import type { BatchedAdSource, LiveAdSource } from '../../core/sources/ad-source.ts';
import type { RecordedShape } from '../../core/sources/reply-shape.ts';
import type { UnitsPerCompany } from '../../core/sources/estimate-spend.ts';
import type { SnapshotName } from '../../core/sources/snapshot-store.ts';
import type { SourceLimits } from '../../core/sources/source-call.ts';
import type { SourceSettings, ValuesOf } from './source-setting.ts';

/** Declaration of an ad source. */
export type SourceDefinition = LocalSourceDefinition | LiveSourceDefinition;

/** Declaration of a source that answers from Nightshift's own database, without a call. */
export interface LocalSourceDefinition {
  readonly kind: 'local';
  /** Name in commands, settings and the database. */
  readonly id: SnapshotName;
  /** Contents, as a noun phrase. */
  readonly about: string;
  /** Remedy if nothing is loaded. */
  readonly howToLoad: string;
}

/**
 * Declaration of a source that is called over the network: everything that Nightshift knows about it. Settings, limits, checks,
 * prices and reference pages follow from it.
 */
// The functions are methods, whose parameters TypeScript compares in both directions: a list holds definitions of any settings.
export interface LiveSourceDefinition<Settings extends SourceSettings = SourceSettings> {
  /** Called over the network; its `AdSource` is `live` or `batched`. */
  readonly kind: 'live';
  /** Name in commands, settings and the database. */
  readonly id: string;
  /**
   * Name in sentences: a proper name, or a noun phrase such as `the upstream`. If it equals the id (case aside), no file of another
   * folder may contain that word; for an ordinary word write a phrase, such as `the Example API`.
   */
  readonly label: string;
  /** The source itself, as a noun phrase. */
  readonly about: string;
  /** Ad platform in lower case, such as `google`; `any` if its settings decide. */
  readonly platform: string;
  /** Settings in the order in which they are listed. */
  readonly settings: Settings;
  /** Limits of its calls: defaults that the operator may change, or fixed ones. */
  readonly limits: AdjustableLimits | FixedLimits;
  /** Charge of the vendor; null: free. */
  readonly price: ListPrice | ConfiguredPrice<Settings> | null;
  /** Units of its price that a company costs, or a call that covers many companies. Default: not known. */
  unitsPerCompany?(settings: ValuesOf<Settings>): UnitsPerCompany;
  /** Recorded or documented forms of its replies. Default: none. */
  readonly recordedShapes?: readonly RecordedShape[];
  /** Replacement for recorded shapes if the adapter validates replies itself, such as `its schema`. */
  readonly checkedBy?: string;
  /** Number of companies that one call covers for one price. Default: 1. */
  readonly companiesPerCall?: number;
  /** Used after the snapshot if no source is named. Default: false. */
  readonly isDefault?: true;
  /** Settings that turn it on, as the end of a sentence after `set`. Default: the required settings. */
  readonly howToTurnOn?: string;
  /** Terms that the operator accepts by turning it on, as `doctor` recalls them. */
  readonly terms?: { readonly acknowledged: string; readonly remedy: string };
  /** Base URL of its calls. `place` says where the operator changes it. */
  readonly baseUrl: {
    readonly place: string;
    /** @throws Misconfigured when its file cannot be read. */
    read(settings: ValuesOf<Settings>): string | Promise<string>;
  };
  /** Countries that a search can be limited to. Default: none; such a search is rejected before it reaches the adapter. */
  readonly regions?: 'all' | RegionValidation<Settings>;
  /** Surfaces that a search can be limited to. Default: none; such a search is rejected before it reaches the adapter. */
  readonly surfaces?: readonly string[];
  /** Check of the credentials that costs nothing. Default: none, because every call can cost. */
  readonly checkAccount?: AccountCheck<Settings>;
  /** Opens the adapter. Imports it on demand, so that commands without a source load none. @throws Misconfigured */
  open(options: OpenOptions<Settings>): Promise<LiveAdSource | BatchedAdSource>;
}

/**
 * Limits with five settings: requests per second, burst, concurrency, calls per day, and deadline. Concurrency and calls per
 * day have no default.
 */
export interface AdjustableLimits {
  readonly kind: 'adjustable';
  readonly requestsPerSecond: number;
  /** Requests that may start at once after a rest. */
  readonly burst: number;
  readonly deadlineSeconds: number;
}

/** Limits that no setting changes. */
export interface FixedLimits {
  readonly kind: 'fixed';
  readonly limits: SourceLimits;
}

/** List price of a unit. The price book starts with it. */
export interface ListPrice {
  readonly kind: 'list';
  /** Exact decimal text. */
  readonly amount: string;
  /** Currency: `USD`, `credits`, `searches`. */
  readonly currency: string;
  /** Description of a unit. */
  readonly unit: string;
  readonly note: string;
  /** First day, UTC: `2026-01-01`. */
  readonly since: string;
}

/** Price that only the operator knows; its unit is in the configuration. */
export interface ConfiguredPrice<Settings extends SourceSettings = SourceSettings> {
  readonly kind: 'configured';
  /** @throws Misconfigured when the configuration cannot be parsed. */
  readUnit(settings: ValuesOf<Settings>): Promise<string>;
}

/** Check of the country that a search is limited to. */
export interface RegionValidation<Settings extends SourceSettings = SourceSettings> {
  /**
   * Validates a country, ISO 3166-1 alpha-2, or null for a search anywhere; `settings` is null for a source that is not configured.
   *
   * @throws ValidationError that names the source and the remedy.
   * @throws Misconfigured when the configuration cannot be read.
   */
  validate(region: string | null, settings: ValuesOf<Settings> | null): void | Promise<void>;
}

/** Free call that tests the credentials of a source. */
export interface AccountCheck<Settings extends SourceSettings = SourceSettings> {
  /**
   * Returns the state of the account, without secrets.
   *
   * @throws SourceRefused for a credential or an account that the vendor rejects, and other errors of `HttpClient.send`.
   */
  read(options: AccountOptions<Settings>): Promise<AccountState>;
}

/** Parts that an account is checked with. */
export interface AccountOptions<Settings extends SourceSettings = SourceSettings> extends Pick<
  OpenOptions<Settings>,
  'settings' | 'http'
> {
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
}

/** State of an account at a vendor. */
export interface AccountState {
  /** Plan and what is left, such as `plan Developer, 4,900 searches left`. */
  readonly text: string;
  /** True if nothing is left, so that the next call is rejected. */
  readonly isSpent: boolean;
}

/** Parts that an adapter is opened with. */
export interface OpenOptions<Settings extends SourceSettings = SourceSettings> {
  readonly settings: ValuesOf<Settings>;
  readonly limits: SourceLimits;
  readonly http: Pick<HttpClient, 'send'>;
  /** Identifies this installation to others. */
  readonly installation: string;
  /** Version of Nightshift. */
  readonly version: string;
}

/** Settings and limits of a live source that the operator has turned on. */
export interface SourceAccess {
  readonly source: LiveSourceDefinition;
  readonly settings: ValuesOf<SourceSettings>;
  readonly limits: SourceLimits;
  /** Hosts of URLs that the operator has set; their addresses need not be public. */
  readonly namedHosts: readonly string[];
}

/** Declares a live source. Its functions receive the settings by name and type, as declared. */
export function defineLiveSource<const Settings extends SourceSettings>(
  definition: Omit<LiveSourceDefinition<Settings>, 'kind'>,
): LiveSourceDefinition {
  return { kind: 'live', ...definition };
}

/** Settings that turn a source on, as the end of a sentence after `set`. */
export function howToTurnOn({ howToTurnOn: text, settings }: LiveSourceDefinition): string {
  return text ?? requiredSettings(settings).join(' and ');
}

/** Names of the settings without which a source is off. */
export function requiredSettings(settings: SourceSettings): readonly string[] {
  return Object.values(settings).flatMap(({ name, required = false }) => (required ? [name] : []));
}
