import type { Suggestions } from '../../core/sources/choose-advertisers.ts';
import type { SourceCallExecutor, ReadReply, SourceReply } from '../../core/sources/source-call.ts';
import type { AdsPage } from '../calls/collect-pages.ts';
import type { Controls } from './controls.ts';
import { creativesQuery, suggestionsQuery, type Query } from './queries.ts';
import { EmptyReply, isEmptyObject } from './empty-reply.ts';
import type { Place, Search } from './requests.ts';

/** Sends `f.req` to a method of the service. */
export type SendQuery = (method: string, fReq: string, signal: AbortSignal) => Promise<SourceReply>;

/** The service, as one lookup asks it. Both throw SourceUnreadable, and whatever the exchange throws. */
export interface Service {
  /** `Exchange.comesBack`. */
  readonly comesBack: boolean;
  /** A page of creatives; `token` null for the first. */
  creatives(search: Search, token: string | null, pageNumber: number): Promise<AdsPage>;
  suggestions(name: string): Promise<Suggestions>;
}

/**
 * Control questions by form: the company of the recorded replies, which had more than 100,000 ads and ten suggestions. They tell an empty
 * answer from a broken service.
 */
const known = {
  domain: { by: 'domain', domain: 'nike.com' },
  advertisers: { by: 'advertisers', advertiserIds: ['AR16735076323512287233'] },
  name: 'nike',
} as const;

export interface ServiceOptions {
  readonly exchange: SourceCallExecutor;
  readonly send: SendQuery;
  /** Region of the ads; null: anywhere. */
  readonly place: Place | null;
  readonly controls: Controls;
}

/** Asks the service through `exchange`. Every call is free. */
export function createService({ exchange, send, place, controls }: ServiceOptions): Service {
  function ask<T>({ about, method, fReq, read, saysOf }: Query<T>, sendQuery = send): Promise<T> {
    return exchange({
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
   * Asks; finds out what an empty object means. Nothing in it tells an answer from a request that was not understood, so the same form
   * of question is put about a company that has an answer, anywhere. Only where that one is given, now or a short while ago, and the
   * question itself brings an empty object once more, there is `nothing`. One call more, or two.
   */
  async function askSurely<T>(query: Query<T>, control: Query<T>, nothing: T): Promise<T> {
    const first = await ask(orNull(query, 'candidates'));
    if (first !== null) return first;
    await assureUnderstood(asControl(control, nothing));
    const again = { ...query, about: `${query.about}, asked again` };
    return (await ask(orNull(again, query.saysOf(nothing)))) ?? nothing;
  }

  /** A reply that was kept says nothing of today. */
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
    comesBack: exchange.comesBack,
    creatives: (search, token, pageNumber) => {
      const query = creativesQuery(search, place, token, pageNumber);
      // An empty object behind a token was announced as something else, and stays unexplained.
      if (token !== null) return ask(query);
      return askSurely(query, creativesQuery(known[search.by], null, null, 1), noAds);
    },
    suggestions: (name) => askSurely(suggestionsQuery(name), suggestionsQuery(known.name), nobody),
  };
}

const noAds: AdsPage = { ads: [], next: null, estimate: null };
const nobody: Suggestions = { domains: [], advertisers: [] };

/**
 * Reads an empty object as null, which on record says `says`: among many companies without ads it is no sign of trouble. That is for
 * the control to tell.
 */
function orNull<T>(query: Query<T>, says: ReadReply<T>['says']): Query<T | null> {
  return {
    ...query,
    read: (text) => (isEmptyObject(text) ? null : query.read(text)),
    saysOf: (answer) => (answer === null ? says : query.saysOf(answer)),
  };
}

/**
 * A query of which the answer is known to be more than nothing: else it counts as empty, whatever its form. Of the company that is asked
 * about it says nothing.
 */
function asControl<T>(query: Query<T>, nothing: T): Query<T> {
  const read = (text: string) => {
    const value = query.read(text);
    if (query.saysOf(value) === query.saysOf(nothing)) throw new EmptyReply();
    return value;
  };
  return { ...query, about: `control: ${query.about}`, read, saysOf: () => 'candidates' };
}
