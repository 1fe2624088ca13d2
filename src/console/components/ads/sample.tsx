import { Badge } from '../badge.tsx';
import { Banner } from '../banner.tsx';

/** The source whose ads are generated (`src/core/sources/snapshot-store.ts`). */
const sample = 'sample';

/** True when any of these sources returns generated ads. */
export function isSample(sources: readonly (string | null)[]): boolean {
  return sources.includes(sample);
}

/** Banner on pages with generated ads. Empty without any. */
export function SampleBanner({ sources }: { readonly sources: readonly (string | null)[] }) {
  if (!isSample(sources)) return null;
  const isAll = sources.every((source) => source === sample);
  return (
    <div class="band">
      <Banner kind="warning" title="Sample data">
        <p>
          {isAll ? 'These ads are generated.' : 'Some of these ads are generated.'} They come from the bundled
          sample, not from the companies shown. Their links do not work.
        </p>
      </Banner>
    </div>
  );
}

/** Badge in a row of a table. Empty without generated ads. */
export function SampleBadge({ sources }: { readonly sources: readonly (string | null)[] }) {
  if (!isSample(sources)) return null;
  return <Badge tone="warm">Sample data</Badge>;
}
