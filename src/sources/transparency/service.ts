import type { Suggestions } from '../../core/sources/choose-advertisers.ts';
import type { SourceCallExecutor, ReadReply, SourceReply } from '../../core/sources/source-call.ts';
import type { AdsPage } from '../calls/collect-pages.ts';
import type { AdDetail, AdIds } from '../calls/complete-ads.ts';
import type { Controls } from './controls.ts';
import { creativeQuery, creativesQuery, suggestionsQuery, type Query } from './queries.ts';
import { EmptyReply, isEmptyObject } from './empty-reply.ts';
import type { Place, Search } from './requests.ts';

/** Sends `f.req` to a method of the service. */
export type SendQuery = (method: string, fReq: string, signal: AbortSignal) => Promise<SourceReply>;

/** The service, as one lookup uses it. Its methods throw SourceUnreadable, and the errors of the executor. */
export interface Service {
  /** `SourceCallExecutor.comesBack`. */
  readonly comesBack: boolean;
  /** Fetches a page of creatives; `token` is null for the first. */
  creatives(search: Search, token: string | null, pageNumber: number): Promise<AdsPage>;
  suggestions(name: string): Promise<Suggestions>;
  /** Fetches one creative, whose picture and regions the list may lack. */
  creative(ids: AdIds): Promise<AdDetail>;
}

/**
 * Control calls: the company of the recorded replies, which had more than 100,000 ads and ten suggestions. They distinguish an
 * empty answer from a broken service.
 */
const known = {
  domain: { by: 'domain', domain: 'nike.com' },
  advertisers: { by: 'advertisers', advertiserIds: ['AR16735076323512287233'] },
  name: 'nike',
} as const;

export interface ServiceOptions {
  readonly executor: SourceCallExecutor;
  readonly send: SendQuery;
  /** Region of the ads; null: anywhere. */
  readonly place: Place | null;
  readonly controls: Controls;
}

/** Calls the service through `executor`. Every call is free. */
export function createService({ executor, send, place, controls }: ServiceOptions): Service {
  function ask<T>({ about, method, fReq, read, saysOf }: Query<T>, sendQuery = send): Promise<T> {
    return executor({
      about,
      unitsMax: 0,
      send: (signal) => sendQuery(method, fReq, signal),
      read: (text) => {
        const value = read(text);
        return { value, says: saysOf(value), units: 0 };
      },
    });
  }

  /**
   * Sends a query, and finds out what an empty object means. The object does not distinguish an empty answer from a request
   * that was not understood. So the same kind of query is sent for a company that has an answer, anywhere. Only if that
   * succeeds, now or recently, and the query itself returns an empty object again, the result is `nothing`. This costs one or
   * two more calls.
   */
  async function askSurely<T>(query: Query<T>, control: Query<T>, nothing: T): Promise<T> {
    const first = await ask(orNull(query, 'candidates'));
    if (first !== null) return first;
    await assureUnderstood(asControl(control, nothing));
    const again = { ...query, about: `${query.about}, asked again` };
    return (await ask(orNull(again, query.saysOf(nothing)))) ?? nothing;
  }

  /** A stored reply says nothing about the current state. */
  async function assureUnderstood<T>(control: Query<T>): Promise<void> {
    if (controls.isFresh(control.about)) return;
    let isSent = false;
    await ask(control, (...query) => {
      isSent = true;
      return send(...query);
    });
    if (isSent) controls.note(control.about);
  }

  return {
    comesBack: executor.comesBack,
    creatives: (search, token, pageNumber) => {
      const query = creativesQuery(search, place, token, pageNumber);
      // An empty object for a token is unexpected, and stays unexplained.
      if (token !== null) return ask(query);
      return askSurely(query, creativesQuery(known[search.by], null, null, 1), noAds);
    },
    creative: (ids) => ask(creativeQuery(ids)),
    suggestions: (name) => askSurely(suggestionsQuery(name), suggestionsQuery(known.name), nobody),
  };
}

const noAds: AdsPage = { ads: [], next: null, estimate: null };
const nobody: Suggestions = { domains: [], advertisers: [] };

/**
 * Parses an empty object as null, which is recorded as `says`: among many companies without ads it is not an error. The control
 * call decides that.
 */
function orNull<T>(query: Query<T>, says: ReadReply<T>['says']): Query<T | null> {
  return {
    ...query,
    read: (text) => (isEmptyObject(text) ? null : query.read(text)),
    saysOf: (answer) => (answer === null ? says : query.saysOf(answer)),
  };
}

/**
 * A control query, whose result is known to be more than nothing; an empty result counts as an empty object, whatever its form.
 * It says nothing about the company of the lookup.
 */
function asControl<T>(query: Query<T>, nothing: T): Query<T> {
  const read = (text: string) => {
    const value = query.read(text);
    if (query.saysOf(value) === query.saysOf(nothing)) throw new EmptyReply();
    return value;
  };
  return { ...query, about: `control: ${query.about}`, read, saysOf: () => 'candidates' };
}
