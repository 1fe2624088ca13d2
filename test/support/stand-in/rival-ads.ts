import type { StandInAd } from './stand-in-ads.ts';

/** Two rivals whose ads change between two scans; all other companies have none. */
export interface Rivals {
  /** Switches to the ads of the first scan. */
  readonly begin: () => void;
  /** Switches to the ads of the next scan. */
  readonly sleep: () => void;
  readonly ads: (company: string) => readonly StandInAd[];
}

/** Acme drops one ad, changes another and starts a third; Globex does not change. */
export function createRivals(): Rivals {
  let run = 1;
  return {
    begin: () => void (run = 1),
    sleep: () => void (run += 1),
    ads: (company) => {
      if (company === 'globex.com') return [adOf('globex.com', 'Everlasting pipes', { days: 40 })];
      if (company !== 'acme.com') return [];
      return run === 1
        ? [
            adOf('acme.com', 'Anvils, now lighter', {}),
            adOf('acme.com', 'Rockets for beginners', { format: 'Image' }),
          ]
        : [
            adOf('acme.com', 'Anvils, now lighter', { description: 'And cheaper' }),
            adOf('acme.com', 'Magnets that wait', { format: 'Video', days: 1 }),
          ];
    },
  };
}

/** Creates an ad of a company that began some days ago. Default: a text ad, nine days old. */
export function adOf(
  company: string,
  headline: string,
  {
    format = 'Text',
    days = 9,
    description = `By ${company}`,
  }: { readonly format?: string; readonly days?: number; readonly description?: string },
): StandInAd {
  const creativeId = `CR${Buffer.from(headline).toString('hex').slice(0, 20)}`;
  const image = 'https://tpc.googlesyndication.com/archive/simgad/42';
  return {
    advertiser_id: `AR-${company}`,
    advertiser_name: company === 'acme.com' ? 'Acme Corporation' : 'Globex',
    creative_id: creativeId,
    original_url: `https://adstransparency.google.com/advertiser/AR-${company}/creative/${creativeId}`,
    variants: [{ content: `<img src="${image}" height="209" width="348">`, height: 209, width: 348 }],
    start: dayAgo(days),
    last_seen: dayAgo(0),
    ...{ format, headline, description, display_url: company, final_url: `https://${company}/offer` },
    ad_type: format.toLowerCase(),
  };
}

/** Date this many days ago, as `YYYY-MM-DD`. */
export function dayAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}
