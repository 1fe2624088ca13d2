import type { Actor } from '../accounts/key-store.ts';
import type { StoredResponse } from '../accounts/stored-response.ts';
import type { Credentials } from '../storage/credentials.ts';
import type { Location } from '../storage/location.ts';
import type { ChosenFormat, Destination, DestinationScope, DestinationTarget } from './destination.ts';
import type { Landing } from './landing.ts';

export interface NewDestination extends ChosenFormat {
  readonly name: string;
  readonly scope: DestinationScope;
  readonly location: Location;
  readonly credentials: Credentials | null;
  /** True when an account named the location over the API. */
  readonly isOfAccount: boolean;
}

/** Changeable fields of a destination. Location and scope stay: another place is another destination. */
export interface DestinationChanges {
  readonly name?: string;
  readonly credentials?: Credentials | null;
  readonly chosen?: ChosenFormat;
  readonly state?: 'active' | 'disabled';
}

/** Filter of landings: those before the one of a cursor, in one state or in all, of one batch or of all. */
export interface LandingPage {
  readonly limit: number;
  /** `Landing.contentKey` of the last landing of the page before. */
  readonly before: string | null;
  readonly state: Landing['state'] | null;
  readonly batch: string | null;
}

/**
 * Selection of batches to land again: one batch, landed or not; all landings that were abandoned; or all batches that the destination takes,
 * finished in the last so many milliseconds, that have not landed.
 */
export type LandingReplay =
  | { readonly kind: 'batch'; readonly batch: string }
  | { readonly kind: 'dead' }
  | { readonly kind: 'since'; readonly ageMs: number };

/**
 * Port: the destinations of accounts. A destination is named by its id or by its name in the account. Every change and its entry in the
 * audit log are one transaction.
 *
 * All operations except `create` and `list` throw NotFound when the destination does not exist or was removed.
 */
export interface DestinationStore {
  /**
   * Creates a destination. A finished batch of its scope lands at once.
   *
   * @throws Conflict when the name is taken or the account has the maximum number of destinations.
   * @throws NotFound for an unknown schedule or batch.
   */
  create(
    accountId: number,
    destination: NewDestination,
    by: Actor,
    kept?: StoredResponse<Destination> | null,
  ): Promise<Destination>;
  /** Oldest first, without removed ones. */
  list(accountId: number): Promise<readonly Destination[]>;
  find(accountId: number, name: string): Promise<Destination>;
  /** Finds the place of a destination, secrets included. For writing only. */
  findTarget(accountId: number, name: string): Promise<DestinationTarget>;
  /** Changes a destination. Landings of a disabled one wait until it is enabled. @throws Conflict when the name is taken. */
  change(accountId: number, name: string, changes: DestinationChanges, by: Actor): Promise<Destination>;
  /** Removes a destination, deletes its credentials and abandons its landings. What landed stays. */
  remove(accountId: number, name: string, by: Actor): Promise<Destination>;
  /** Newest first. Null when `before` is not a landing of the destination. */
  listLandings(accountId: number, name: string, page: LandingPage): Promise<readonly Landing[] | null>;
  /** Lands batches again, at once and with all attempts; returns the number of landings. @throws NotFound | Conflict for the batch. */
  replay(accountId: number, name: string, replay: LandingReplay): Promise<number>;
  /** Lists the landings of a batch, oldest destination first, without those of removed destinations. */
  listOfBatch(batchId: number): Promise<readonly Landing[]>;
}

/** Maximum number of destinations of an account. Our choice: each finished batch makes a landing per destination and shape. */
export const destinationsMax = 50;
