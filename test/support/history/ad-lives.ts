/** Returns the text for a place in a history: the plain one, or the replacement of a test. */
export type HistoryTexts = (place: string, plain: string) => string;

/** Lifetime of an ad in days of a history; days count from 0, and earlier days are negative. */
export interface AdLifetime {
  readonly no: number;
  /** Index of its company. */
  readonly company: number;
  readonly format: 'Text' | 'Image' | 'Video';
  readonly words: string;
  /** First day with a scan that sees it; 0 or less: it existed before the first scan. */
  readonly begins: number;
  /** True if the ad had run before and returns. */
  readonly isBack: boolean;
  /** Day on which its content changes. */
  readonly changes: number | null;
  /** First day without it. */
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

/** Lifetimes of the ads of this many companies: deterministic, with some of each kind. */
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

/** Deterministic numbers from 0 up to 1 (Lehmer's generator with the parameters of Park and Miller). */
function pseudoRandom(): () => number {
  let state = 20260105;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
