import { companyName } from '../data/company-names.ts';
import { randomAt } from '../data/random.ts';
import { advertiserIdOf, creativeIdOf, dayOf, formats, type Creative } from '../data/snapshot-file.ts';

export interface MarketOptions {
  readonly seed: number;
  readonly companies: number;
  readonly adsPerCompany: number;
}

/** Changes that a scan has to find, by kind. */
export interface ExpectedChanges {
  readonly new: number;
  readonly changed: number;
  readonly ended: number;
}

/** Ads of companies that change from day to day. */
export interface Market {
  /** Lists all ads of the current day, also those that have stopped, as an export of the dataset does. */
  readonly list: () => Iterable<Creative>;
  /** Number of ads of the current day. */
  readonly count: () => number;
  /** Moves on by a day, and returns the changes that a scan of the new day has to report. */
  readonly advance: () => ExpectedChanges;
}

/** Share of the ads that get another format on a day, and share of those that stop, each followed by a new one. */
const changedShare = 0.01;
const replacedShare = 0.005;
/** An ad that was last seen more days ago than this counts as ended. */
export const staleDays = 1;
/** The day of the first scan, after the longest run of an ad. */
const firstDay = 1000;
const runDaysMax = 700;

interface StoppedAd {
  readonly company: number;
  readonly id: number;
  readonly format: number;
  readonly started: number;
  readonly lastDay: number;
}

/**
 * Creates the ads of the first day: each company has the same number. Each day, 2 % of them change: one half gets another format, and a
 * quarter stops and is replaced by new ones, which are the last quarter. The others are seen on the new day.
 */
export function createMarket({ seed, companies, adsPerCompany }: MarketOptions): Market {
  const slots = companies * adsPerCompany;
  const ids = Int32Array.from({ length: slots }, (_, slot) => slot);
  const formatOf = Uint8Array.from(ids, (slot) => slot % formats.length);
  const startOf = Int32Array.from(ids, (slot) => firstDay - Math.floor(randomAt(seed, slot) * runDaysMax));
  const stopped: StoppedAd[] = [];
  let [today, nextId] = [firstDay, slots];

  function advance(): ExpectedChanges {
    today += 1;
    const before = nextId;
    let changed = 0;
    for (let slot = 0; slot < slots; slot += 1) {
      const lot = randomAt(seed + today, slot);
      if (lot < changedShare) {
        formatOf[slot] = ((formatOf[slot] ?? 0) + 1) % formats.length;
        changed += 1;
      } else if (lot < changedShare + replacedShare) replace(slot);
    }
    const ended = stopped.filter(({ lastDay }) => today - lastDay === staleDays + 1).length;
    return { new: nextId - before, changed, ended };
  }

  function replace(slot: number): void {
    stopped.push({ ...adAt(slot), lastDay: today - 1 });
    ids[slot] = nextId;
    startOf[slot] = today;
    nextId += 1;
  }

  function adAt(slot: number): Omit<StoppedAd, 'lastDay'> {
    return {
      company: Math.floor(slot / adsPerCompany),
      id: ids[slot] ?? 0,
      format: formatOf[slot] ?? 0,
      started: startOf[slot] ?? 0,
    };
  }

  function* list(): Generator<Creative> {
    for (let slot = 0; slot < slots; slot += 1) yield creativeOf({ ...adAt(slot), lastDay: today });
    for (const ad of stopped) yield creativeOf(ad);
  }

  return { list, count: () => slots + stopped.length, advance };
}

function creativeOf({ company, id, format, started, lastDay }: StoppedAd): Creative {
  return {
    advertiserId: advertiserIdOf(company),
    creativeId: creativeIdOf(id),
    format: formats[format] ?? '',
    advertiserName: companyName(company),
    firstShown: dayOf(started),
    lastShown: dayOf(lastDay),
  };
}
