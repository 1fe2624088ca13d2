import { Badge } from './badge.tsx';
import { Notice } from './banner.tsx';

/** The source whose ads are generated (`src/core/sources/snapshot-store.ts`). */
const sample = 'sample';

/** True when any of these sources gives generated ads. */
export function isSample(sources: readonly (string | null)[]): boolean {
  return sources.includes(sample);
}

/** Says on a page that its ads are generated, where they are. */
export function SampleBand({ sources }: { readonly sources: readonly (string | null)[] }) {
  if (!isSample(sources)) return null;
  const isAll = sources.every((source) => source === sample);
  return (
    <Notice kind="warning" title="Sample data">
      <p>
        {isAll ? 'These ads are generated.' : 'Some of these ads are generated.'} They come from the bundled
        sample, not from the companies named here, and their links lead nowhere.
      </p>
    </Notice>
  );
}

/** The same in a line of a table. Nothing where no ad is generated. */
export function SampleBadge({ sources }: { readonly sources: readonly (string | null)[] }) {
  if (!isSample(sources)) return null;
  return <Badge tone="warm">Sample data</Badge>;
}
