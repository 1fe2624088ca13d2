import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { WhenLoaded } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { listSources } from '../../components/search/list-sources.ts';
import { priceText } from '../../components/search/source-label.ts';
import { Table, type Column } from '../../components/tables/table.tsx';
import { formatCount, Moment } from '../../components/values.tsx';
import { SmokeTest } from './smoke-test.tsx';

type Source = Body<'Source'>;

/** Page of the ad sources: which are set up, what they cost, and how they do. Operators test them. */
export function Sources() {
  const loaded = useLoad('sources', listSources, ['sources']);
  const [tested, setTested] = useState<Source | null>(null);
  return (
    <Page
      title="Sources"
      lead={
        can('operator')
          ? 'Where ads come from. Settings are environment variables: set them, then restart Nightshift.'
          : 'Where ads come from. Operators set sources up.'
      }
    >
      <WhenLoaded loaded={loaded}>
        {(sources) => (
          <Table
            caption="Ad sources"
            columns={can('operator') ? [...columns, ...operatorColumns(setTested)] : columns}
            rows={sources}
            keyOf={({ name }) => name}
          />
        )}
      </WhenLoaded>
      {tested !== null && (
        <SmokeTest
          source={tested}
          onClose={() => {
            setTested(null);
            loaded.reload();
          }}
        />
      )}
    </Page>
  );
}

const columns: readonly Column<Source>[] = [
  {
    head: 'Source',
    isHeading: true,
    cell: ({ name, about }) => (
      <>
        {name} <span class="small quiet">{about}</span>
      </>
    ),
  },
  { head: 'State', cell: (source) => <State source={source} /> },
  { head: 'Price', cell: (source) => priceText(source) },
];

function operatorColumns(onTest: (source: Source) => void): readonly Column<Source>[] {
  return [
    { head: 'Limits', cell: ({ limits }) => (limits === null ? '–' : limitsText(limits)) },
    {
      head: 'Last test',
      cell: ({ checked_live: at, live }) =>
        at === null || live === null ? (
          '–'
        ) : (
          <>
            <Moment at={at} /> {testText(live)}
          </>
        ),
    },
    {
      head: 'Actions',
      cell: (source) =>
        source.configured && source.platform !== null ? (
          <button type="button" onClick={() => onTest(source)}>
            Test <span class="hidden">{source.name}</span>…
          </button>
        ) : null,
    },
  ];
}

function State({ source: { configured, lacks, is_default: isDefault, pause } }: { readonly source: Source }) {
  if (!configured) {
    return (
      <>
        <Badge tone="plain">Not set up</Badge> {lacks !== null && <span class="small">{lacks}</span>}
      </>
    );
  }
  if (pause !== null) {
    return (
      <>
        <Badge tone="warm">Paused</Badge>{' '}
        <span class="small">
          Until <Moment at={pause.until} />: {pause.reason}
        </span>
      </>
    );
  }
  return <Badge tone="good">{isDefault ? 'Ready, default' : 'Ready'}</Badge>;
}

function limitsText(limits: NonNullable<Source['limits']>): string {
  const {
    requests_per_second: pace,
    concurrency,
    calls_per_day: perDay,
    deadline_seconds: deadline,
  } = limits;
  return [
    ...(pace === null ? [] : [`${pace} calls/s`]),
    ...(concurrency === null ? [] : [`${formatCount(concurrency)} at once`]),
    ...(perDay === null ? [] : [`${formatCount(perDay)} a day`]),
    `${deadline} s each`,
  ].join(', ');
}

function testText({ outcome, missing, added }: NonNullable<Source['live']>): string {
  const differences = missing.length + added.length;
  return differences === 0 ? outcome : `${outcome}, ${formatCount(differences)} keys differ`;
}
