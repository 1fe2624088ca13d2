import type { Body } from '../../api/client.ts';

type Version = Body<'AdPage'>['versions'][number];
type Rendering = Version['renderings'][number];

/** Pictures of a version: their sizes, or the pictures after the user turns them on. Never uses the ad's own markup. */
export function Renderings({
  version: { renderings, headline },
  withPictures,
}: {
  readonly version: Version;
  readonly withPictures: boolean;
}) {
  if (renderings.length === 0) return <>–</>;
  return (
    <ul class="renderings">
      {renderings.map((rendering, i) => (
        <li key={i}>
          {withPictures && rendering.picture !== null ? (
            <Picture rendering={rendering} about={headline ?? 'Picture of the ad'} />
          ) : (
            <span class="quiet">{describeRendering(rendering)}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Picture({
  rendering: { picture, width, height },
  about,
}: {
  readonly rendering: Rendering;
  readonly about: string;
}) {
  return (
    <img
      class="creative"
      src={picture ?? undefined}
      alt={about}
      {...(width === null || height === null ? {} : { width, height })}
      loading="lazy"
      decoding="async"
      referrerpolicy="no-referrer"
    />
  );
}

function describeRendering({ picture, width, height }: Rendering): string {
  const size = width === null || height === null ? '' : `, ${width} × ${height}`;
  return picture === null ? `No picture available${size}` : `Picture${size}`;
}
