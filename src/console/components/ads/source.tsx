import { SampleBadge, isSample } from './sample.tsx';
import { Moment } from '../values.tsx';

/** Source of an answer and its date. Empty without a source. */
export function Source({ source, at }: { readonly source: string | null; readonly at: string | null }) {
  if (source === null) return <span class="quiet">–</span>;
  return (
    <>
      {isSample([source]) ? <SampleBadge sources={[source]} /> : source}{' '}
      {at !== null && (
        <div class="quiet small">
          <Moment at={at} />
        </div>
      )}
    </>
  );
}
