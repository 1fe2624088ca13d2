import type { Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { Banner } from '../../components/banner.tsx';
import { listSources } from '../../components/search/list-sources.ts';
import { noSearch } from '../../components/search/search-texts.ts';
import { changeDraft } from './draft.ts';

/** True when a batch searches ads without any source. */
export function lacksSource({ sources, operations }: Body<'Check'>): boolean {
  return sources === null && operations.includes('ads_search');
}

/** Banner for an installation without a source: the next step for operators and for other users. */
export function NoSource({ check }: { readonly check: Body<'Check'> }) {
  return (
    <Banner kind="error" title="No ad source is set up">
      {can('operator') ? (
        <p>
          <a href="/sources">Sources</a> lists all sources with their missing settings. Set{' '}
          <code>NIGHTSHIFT_SOURCES</code>, or load an export of Google’s dataset with{' '}
          <code>nightshift snapshot load FILE</code>. Then restart Nightshift.
        </p>
      ) : (
        <p>Ask your operator to set up an ad source.</p>
      )}
      {check.addresses > 0 && (
        <p>E-mail validation needs no source: go back and clear “Find ads of companies”.</p>
      )}
      <p>Or try the bundled sample. Its ads are generated, and cost credits like real ads.</p>
      <button type="button" onClick={() => changeDraft({ search: { ...noSearch, sources: 'sample' } })}>
        Use sample data
      </button>
    </Banner>
  );
}

/** Banner on the first step of an installation without a default source. */
export function NoDefaultSource() {
  const { data: sources } = useLoad('sources', listSources);
  if (sources === undefined || sources.some(({ is_default: isDefault }) => isDefault)) return null;
  return (
    <Banner kind="warning" title="No ad source is set up">
      {can('operator') ? (
        <p>
          <a href="/sources">Set one up</a> to find ads of companies. E-mail validation needs none.
        </p>
      ) : (
        <p>Ask your operator to set one up to find ads of companies. E-mail validation needs none.</p>
      )}
    </Banner>
  );
}
