/** Gives the text that stands at a place of a history: the plain one, or what a test puts there instead. */
export type HistoryTexts = (place: string, plain: string) => string;

/** Life of an ad in the days of a history; days count from 0, and earlier days are negative. */
export interface AdLifetime {
  readonly no: number;
  /** The place of its company in the list. */
  readonly company: number;
  readonly format: 'Text' | 'Image' | 'Video';
  readonly words: string;
  /** The first day with a scan that sees it; 0 or less: it was there already. */
  readonly begins: number;
  /** It had run before, and comes back. */
  readonly isBack: boolean;
  /** The day on which it looks different. */
  readonly changes: number | null;
  /** The day on which it is gone. */
  readonly ends: number | null;
}

const words = [
  'Run further this winter',
  'The new trail collection',
  'Made for every weather',
  'Shoes from recycled yarn',
  'Your first marathon starts here',
  'Members save more',
  'Light, soft, fast',
];

/** The lives of the ads of so many companies: the same ones every time, some of each kind. */
export function listAdLives(companies: number, days: number): readonly AdLifetime[] {
  const next = pseudoRandom();
  const lives: AdLifetime[] = [];
  for (let company = 0; company < companies; company += 1) {
    const ads = 26 - company * 3;
    for (let i = 0; i < ads; i += 1) lives.push(lifeOf(lives.length, company, days, next));
  }
  return lives;
}

function lifeOf(no: number, company: number, days: number, next: () => number): AdLifetime {
  const wasThere = next() < 0.55;
  const begins = wasThere ? 0 : 2 + Math.floor(next() * (days - 6));
  const lasts = 3 + Math.floor(next() * days);
  const ends = begins + lasts < days - 1 && next() < 0.7 ? begins + lasts : null;
  const changes = next() < 0.2 && (ends ?? days) - begins > 4 ? begins + 2 : null;
  return {
    no,
    company,
    format: (['Text', 'Image', 'Image', 'Video'] as const)[Math.floor(next() * 4)] ?? 'Text',
    words: words[no % words.length] ?? '',
    begins,
    isBack: !wasThere && next() < 0.2,
    changes,
    ends,
  };
}

/** Numbers from 0 up to 1, the same at every run (Lehmer's generator as Park and Miller have it). */
function pseudoRandom(): () => number {
  let state = 20260105;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
