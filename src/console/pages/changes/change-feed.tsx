import type { Body } from '../../api/client.ts';
import { AdLink } from '../../components/ads/ad-link.tsx';
import { Creative, needsChoice } from '../../components/ads/creative.tsx';
import { PictureChoice, PictureHint } from '../../components/ads/pictures.tsx';
import { Badge } from '../../components/badge.tsx';
import { companyLabel } from '../../components/company.tsx';
import { formatDay, localDay } from '../../components/dates/days.ts';
import { PagedList } from '../../components/tables/paged-list.tsx';
import { adTitle, changeSummary, differences, kindLabels } from './change-labels.ts';
import type { Filter } from './filter.ts';
import { countsText, groupChanges, type CompanyChanges } from './group-changes.ts';
import { useChanges } from './use-changes.ts';

type Change = Body<'Change'>;

/** Number of ads of a company and day that are shown at first. */
const shownMax = 8;

/** Filtered changes by day and company, with the ads as cards. */
export function ChangeFeed({ filter }: { readonly filter: Filter }) {
  const pages = useChanges(filter);
  const hasChoice = pages.items.some(({ ad }) => needsChoice(ad));
  return (
    <>
      {hasChoice && (
        <div class="actions">
          <PictureChoice />
          <PictureHint />
        </div>
      )}
      <PagedList
        pages={pages}
        empty={
          <>
            <p>No changes match. From the second scan of a schedule on, changes of ads appear here.</p>
            <a class="button" href="/schedules">
              View schedules
            </a>
          </>
        }
      >
        {(changes) =>
          groupChanges(changes, { day: localDay, company: companyLabel }).map(
            ({ day, companies }, i, days) => (
              <section key={day} class="feed-day" aria-label={formatDay(day)}>
                <h2>{formatDay(day)}</h2>
                {companies.map((each, j) => (
                  <Company
                    key={each.company}
                    {...each}
                    hasMore={pages.hasMore && i === days.length - 1 && j === companies.length - 1}
                  />
                ))}
              </section>
            ),
          )
        }
      </PagedList>
    </>
  );
}

/** @param hasMore true while further changes of the company are not loaded. */
function Company({ company, changes, hasMore }: CompanyChanges & { readonly hasMore: boolean }) {
  const rest = changes.slice(shownMax);
  return (
    <>
      <h3>
        {company}: {countsText(changes)}
        {hasMore && ' or more'}
      </h3>
      <Cards changes={changes.slice(0, shownMax)} label={company} />
      {rest.length > 0 && (
        <details>
          <summary>Show {rest.length} more</summary>
          <Cards changes={rest} label={`More of ${company}`} />
        </details>
      )}
    </>
  );
}

function Cards({ changes, label }: { readonly changes: readonly Change[]; readonly label: string }) {
  return (
    <ul class="gallery" aria-label={label}>
      {changes.map((change) => (
        <li key={`${change.scan} ${change.kind} ${change.ad_id}`}>
          <ChangeCard change={change} />
        </li>
      ))}
    </ul>
  );
}

function ChangeCard({ change }: { readonly change: Change }) {
  const { ad, kind, ad_id: id } = change;
  const { name, tone } = kindLabels[kind];
  const title = adTitle(ad);
  const changed = differences(change).map((each) => each.name);
  return (
    <article class="ad-card card">
      {kind === 'new' && <span class="ribbon">New</span>}
      <Creative ad={ad} />
      <div class="ad-facts">
        <h4>{id === null ? title : <a href={`/ads/${id}`}>{title}</a>}</h4>
        <p class="small">
          {kind !== 'new' && <Badge tone={tone}>{name}</Badge>}{' '}
          <Badge tone="plain">{ad.format ?? 'Ad'}</Badge>
        </p>
        <p class="quiet small">
          {changeSummary(change)}
          {changed.length > 0 && ` Changed: ${changed.join(', ')}.`}
        </p>
        <p class="quiet small">{change.schedule}</p>
        {ad.original_url != null && (
          <p class="small ad-source">
            <AdLink url={ad.original_url} platform={ad.platform} />
          </p>
        )}
      </div>
    </article>
  );
}
