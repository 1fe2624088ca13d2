import { dayOf } from '../../core/reports/days.ts';
import type { SnapshotStore } from '../../core/sources/snapshot-store.ts';

/** Keeps the sample at the current day: its ads start, change and end as days pass. */
export interface SampleDays {
  /** Loads the sample of today unless it is loaded. Returns at once after the first call of a day. */
  keepCurrent(): Promise<void>;
  /** Keeps the sample as it is while `work` runs, such as at an earlier day. */
  holdWhile<T>(work: () => Promise<T>): Promise<T>;
}

/** Options of `createSampleDays`. */
export interface SampleDaysOptions {
  readonly snapshots: Pick<SnapshotStore, 'find' | 'load' | 'today'>;
  /** Called before the sample is loaded. */
  readonly onLoad: () => void;
  /** Clock of this process. It decides when the day is read from the database, whose clock counts. Default: the system's. */
  readonly now?: () => Date;
}

/** Creates the keeper of the sample's day. */
export function createSampleDays(options: SampleDaysOptions): SampleDays {
  const { now = () => new Date() } = options;
  let checked: { readonly day: string; readonly done: Promise<void> } | null = null;
  let holds = 0;

  function keepCurrent(): Promise<void> {
    if (holds > 0) return Promise.resolve();
    const day = dayOf(now());
    if (checked?.day === day) return checked.done;
    const done = loadToday(options).then((today) => {
      // The day of the database begins a little later.
      if (today < day) checked = null;
    });
    checked = { day, done };
    done.catch(() => (checked = null));
    return done;
  }

  return {
    keepCurrent,
    async holdWhile(work) {
      holds += 1;
      try {
        return await work();
      } finally {
        holds -= 1;
        checked = null;
      }
    },
  };
}

/** Returns the day of the database. The import code is loaded on demand, because most processes import nothing. */
async function loadToday({ snapshots, onLoad }: SampleDaysOptions): Promise<string> {
  const today = await snapshots.today();
  if (await isLoaded(snapshots, today)) return today;
  onLoad();
  const { importSample } = await import('../../sources/snapshot/import-sample.ts');
  try {
    await importSample({ store: snapshots, day: today });
  } catch (error) {
    // Another process has loaded the next day meanwhile.
    if (!(await isLoaded(snapshots, today))) throw error;
  }
  return today;
}

async function isLoaded(snapshots: Pick<SnapshotStore, 'find'>, day: string): Promise<boolean> {
  const asOf = (await snapshots.find('sample'))?.asOf ?? null;
  return asOf !== null && asOf >= day;
}
