import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Body } from '../../api/client.ts';
import { Badge } from '../../components/badge.tsx';
import { OutsideLink } from '../../components/outside-link.tsx';
import { Moment, formatCounted } from '../../components/values.tsx';
import { Renderings } from './renderings.tsx';

type Version = Body<'AdPage'>['versions'][number];
type Field = Version['changed'][number];

/** Maximum number of versions shown at first. */
const shownAtFirst = 4;

/** Versions of an ad side by side, newest first. */
export function Versions({
  versions,
  withPictures,
}: {
  readonly versions: readonly Version[];
  readonly withPictures: boolean;
}) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? versions : versions.slice(0, shownAtFirst);
  const rows = fields.filter(({ field, isShown }) =>
    shown.some((version) => version.changed.includes(field) || isShown(version)),
  );
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Versions of the ad">
        <table class="versions">
          <caption class="hidden">Versions of the ad, newest first</caption>
          <thead>
            <tr>
              <td />
              {shown.map((version) => (
                <th key={version.id} scope="col">
                  {versionName(version, versions)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Seen</th>
              {shown.map(({ id, first_observed_at: first, last_observed_at: last, lookups }) => (
                <td key={id}>
                  <Moment at={first} /> – <Moment at={last} />
                  <div class="quiet small">by {formatCounted(lookups, 'lookup')}</div>
                </td>
              ))}
            </tr>
            {rows.map(({ field, name, show }) => (
              <tr key={field}>
                <th scope="row">{name}</th>
                {shown.map((version) => (
                  <td key={version.id} class={version.changed.includes(field) ? 'changed' : undefined}>
                    {version.changed.includes(field) && (
                      <div>
                        <Badge tone="warm">Changed</Badge>
                      </div>
                    )}
                    {show(version, withPictures)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < versions.length && (
        <p class="more">
          <button type="button" onClick={() => setShowsAll(true)}>
            Show the {formatCounted(versions.length - shown.length, 'older version')}
          </button>
        </p>
      )}
    </>
  );
}

/** Names a version. The oldest one is number 1. */
export function versionName({ id }: { readonly id: string }, versions: readonly Version[]): string {
  const place = versions.findIndex((version) => version.id === id);
  return place === -1 ? 'Older version' : `Version ${versions.length - place}`;
}

interface ShownField {
  readonly field: Field;
  readonly name: string;
  readonly isShown: (version: Version) => boolean;
  readonly show: (version: Version, withPictures: boolean) => ComponentChildren;
}

const fields: readonly ShownField[] = [
  textField('advertiser_name', 'Advertiser'),
  textField('format', 'Format'),
  textField('headline', 'Headline'),
  textField('description', 'Text'),
  textField('display_url', 'Display URL'),
  {
    field: 'final_url',
    name: 'Landing page',
    isShown: ({ final_url: url }) => url !== null,
    show: ({ final_url: url }) => (url === null ? '–' : <OutsideLink href={url} />),
  },
  {
    field: 'renderings',
    name: 'Pictures',
    isShown: ({ renderings }) => renderings.length > 0,
    show: (version, withPictures) => <Renderings version={version} withPictures={withPictures} />,
  },
];

function textField(
  field: 'advertiser_name' | 'format' | 'headline' | 'description' | 'display_url',
  name: string,
): ShownField {
  return {
    field,
    name,
    isShown: (version) => version[field] !== null,
    show: (version) => version[field] ?? '–',
  };
}
