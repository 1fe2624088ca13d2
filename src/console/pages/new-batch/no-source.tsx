import type { Body } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { Notice } from '../../components/banner.tsx';
import { change } from './draft.ts';

/** True when a batch has companies and no source to search. */
export function lacksSource({ sources, operations }: Body<'Check'>): boolean {
  return sources === null && operations.includes('ads_search');
}

/** Says what is to be done where there is no source of ads: by whoever runs the service, and by who only wants to try it. */
export function NoSource({ check }: { readonly check: Body<'Check'> }) {
  return (
    <Notice kind="error" title="There is nowhere to look the companies up yet">
      {may('operator') ? (
        <p>
          Set up a source of ads: <code>nightshift sources</code> lists them with the settings that each
          lacks. Name the one you choose in <code>NIGHTSHIFT_SOURCES</code>, or load an export of Google’s
          dataset with <code>nightshift snapshot load FILE</code>, and start Nightshift again.
        </p>
      ) : (
        <p>Whoever runs this Nightshift has to set up a source of ads first.</p>
      )}
      {check.addresses > 0 && <p>Addresses need no source: go back and choose to check only those.</p>}
      <p>
        To see how it works, take the bundled sample: its ads are generated, and cost credits as real ones do.
      </p>
      <button type="button" onClick={() => change({ source: 'sample' })}>
        Try it with the sample
      </button>
    </Notice>
  );
}
